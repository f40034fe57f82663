# Marquee as an image: `docker build -t marquee .`
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run -s package && mv marquee-*.tgz /marquee.tgz

FROM node:24-slim
COPY --from=build /marquee.tgz /tmp/marquee.tgz
RUN npm install -g --ignore-scripts /tmp/marquee.tgz && rm /tmp/marquee.tgz && npm cache clean --force \
  && useradd --system --uid 990 --home-dir /data marquee && install -d -o marquee -g marquee -m 0700 /data
USER marquee
WORKDIR /data
ENV DATA_DIR=/data HOST=0.0.0.0 MARQUEE_WORKERS=auto MALLOC_MMAP_THRESHOLD_=131072
VOLUME /data
EXPOSE 8080
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8080/health/live').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["marquee"]
CMD ["serve"]
