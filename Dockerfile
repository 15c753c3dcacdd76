# The first stage builds the bundle with the development tools. The image has only the published files and the dependencies for its system.
FROM node:24-slim AS build
WORKDIR /overture
COPY . .
RUN npm ci --no-audit --no-fund && npm run build -- /overture/built
RUN cd /overture/built && npm install --omit=dev --no-audit --no-fund --no-package-lock

FROM node:24-slim
LABEL org.opencontainers.image.title="Overture" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /overture/built /opt/overture
# PostgreSQL creates no database for a user without a name.
RUN echo 'overture:x:10001:10001::/data:/usr/sbin/nologin' >> /etc/passwd && echo 'overture:x:10001:' >> /etc/group
RUN mkdir /data && chown 10001:10001 /data
USER 10001
WORKDIR /data
VOLUME /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 OVERTURE_DATA_DIR=/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=10s --start-period=120s --retries=6 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "/opt/overture/overture.mjs"]
CMD ["start"]
