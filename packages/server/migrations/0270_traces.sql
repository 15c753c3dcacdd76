-- What asked for it, as long as traces are written: its place in a trace, and since when that goes (docs/operating.md, "Traces").
alter table jobs add column trace text;
alter table planning add column trace text;
