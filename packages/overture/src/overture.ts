#!/usr/bin/env node
import '@overture/cli/src/main.ts'
