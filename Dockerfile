# An image with the server: it needs no root and no shell, and writes to the data directory and /tmp only.

# The content studio, which the server embeds.
FROM node:24-bookworm-slim AS studio
WORKDIR /src
COPY studio studio
COPY crates/pages/files/pages.css crates/pages/files/pages.css
COPY scripts/studio.sh scripts/studio.sh
RUN --mount=type=cache,target=/root/.npm scripts/studio.sh

FROM rust:1.95-bookworm AS build
# The assembler of the image codecs.
RUN apt-get update && apt-get install -y --no-install-recommends nasm && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
COPY --from=studio /src/studio/dist studio/dist
# The caches hold the sources and the compiled code of the dependencies, so that a changed line compiles this repository only. They are no part of the
# image: the binary is copied out of them. The profile `dist` takes longer to compile than `release` and is a little faster; see Cargo.toml.
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target,sharing=locked \
    LECTERN_STUDIO=required cargo build --profile dist --locked --bin lectern && install -D target/dist/lectern /out/lectern

FROM debian:bookworm-slim
# Root certificates for TLS to the database, the mail server and the targets of webhooks.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/lectern --create-home lectern
COPY --from=build /out/lectern /usr/local/bin/lectern
USER 10001
WORKDIR /var/lib/lectern
ENV APP_LISTEN=0.0.0.0:8080 APP_DATA_DIR=/var/lib/lectern APP_LOG_FORMAT=json
EXPOSE 8080
VOLUME /var/lib/lectern
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["lectern", "healthcheck"]
ENTRYPOINT ["lectern"]
