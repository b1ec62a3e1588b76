# The server in an image of its own: no shell is needed, no root, and nothing is written but the data directory.

FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --bin lectern

FROM debian:bookworm-slim
# Roots for TLS to the database.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/lectern --create-home lectern
COPY --from=build /src/target/release/lectern /usr/local/bin/lectern
USER lectern
WORKDIR /var/lib/lectern
ENV APP_LISTEN=0.0.0.0:8080 APP_DATA_DIR=/var/lib/lectern APP_LOG_FORMAT=json
EXPOSE 8080
VOLUME /var/lib/lectern
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["lectern", "healthcheck"]
ENTRYPOINT ["lectern"]
