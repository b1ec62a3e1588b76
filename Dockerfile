# An image with the server: it needs no shell and no root, and writes to the data directory only.

FROM rust:1.95-bookworm AS build
# The assembler of the image codecs.
RUN apt-get update && apt-get install -y --no-install-recommends nasm && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# The profile `dist` takes longer to compile than `release` and is a little faster; see Cargo.toml.
RUN cargo build --profile dist --locked --bin lectern

FROM debian:bookworm-slim
# Root certificates for TLS to the database, the mail server and the targets of webhooks.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/lectern --create-home lectern
COPY --from=build /src/target/dist/lectern /usr/local/bin/lectern
USER lectern
WORKDIR /var/lib/lectern
ENV APP_LISTEN=0.0.0.0:8080 APP_DATA_DIR=/var/lib/lectern APP_LOG_FORMAT=json
EXPOSE 8080
VOLUME /var/lib/lectern
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["lectern", "healthcheck"]
ENTRYPOINT ["lectern"]
