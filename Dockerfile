# Vergo in an image: docker build -t vergo . && docker run --rm -v "$PWD:/src" vergo check program.c
FROM rust:1-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ git && rm -rf /var/lib/apt/lists/*
WORKDIR /vergo
COPY . .
ARG VERGO_COMMIT=""
ENV VERGO_COMMIT=$VERGO_COMMIT
RUN cargo install --locked --path crates/cli --root /out

FROM debian:bookworm-slim
# The preprocessor and headers, for 64-bit and 32-bit programs; git for contrib/ci/check.sh.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev gcc-multilib libstdc++6 git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/bin/vergo /usr/local/bin/vergo
COPY contrib/ci/check.sh /usr/share/vergo/check.sh
WORKDIR /src
ENTRYPOINT ["vergo"]
