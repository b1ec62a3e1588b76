//! The rows of assets: their size, the image service, and the S3 bucket that they can be kept in.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row, secret,
};

pub(super) const ASSETS: &[Variable] = &[
    row(
        "APP_ASSET_MAX_MB",
        "1 to 10240",
        Text("100"),
        "The largest file that can be uploaded or imported, in megabytes. A proxy in front has a limit of its own.",
        "500",
    ),
    row(
        "APP_IMAGE_CACHE_MB",
        "0 to 1048576",
        Text("1024"),
        "How many megabytes of results of the image service are kept beside the files of assets, of all servers on one database together. Those that were not used for longest go first. 0 keeps none.",
        "10240",
    ),
    row(
        "APP_IMAGE_MEMORY_MB",
        "0 to 1048576",
        Text("64"),
        "How many megabytes of results of the image service each process keeps in its memory. 0 keeps none.",
        "256",
    ),
    row(
        "APP_IMAGE_WORKERS",
        "1 to 1024",
        Depends("one for each core"),
        "How many images are worked on at a time. Each takes about 4 bytes for each pixel of its original and of its result, and the file itself. Further ones wait; a space has at most half of the places.",
        "2",
    ),
    row(
        "APP_IMAGE_TIMEOUT",
        "1 to 20 seconds",
        Text("10"),
        "How long one image may take. One that takes longer is refused with 422; an animation is its first frame then, for which a quarter of the time is kept.",
        "5",
    ),
    row(
        "APP_IMAGE_MAX_MEGAPIXELS",
        "1 to 500",
        Text("50"),
        "How many million pixels an image may have for the image service. One that has more is refused with 422, before it is decoded. An animation that has more in all of its frames together is its first frame.",
        "100",
    ),
    row(
        "APP_S3_ENDPOINT",
        "http or https URL without a path",
        Depends("assets lie in the data directory, in `assets`"),
        "The object store that holds the assets. Several servers on one database need one. `APP_S3_BUCKET`, `APP_S3_ACCESS_KEY` and `APP_S3_SECRET_KEY` are needed with it.",
        "https://s3.eu-central-1.amazonaws.com",
    ),
    row(
        "APP_S3_BUCKET",
        "name of a bucket",
        Depends("needed with `APP_S3_ENDPOINT`"),
        "The bucket, which has to exist. It is for one installation: objects without an asset in this database are removed.",
        "lectern-assets",
    ),
    row("APP_S3_REGION", "name of a region", Text("us-east-1"), "The region that requests are signed for.", "eu-central-1"),
    secret(
        "APP_S3_ACCESS_KEY",
        "access key",
        Depends("needed with `APP_S3_ENDPOINT`"),
        "The access key of the object store.",
        "the name of a key that can read, write, list and delete objects of the bucket",
    ),
    secret(
        "APP_S3_SECRET_KEY",
        "secret key",
        Depends("needed with `APP_S3_ENDPOINT`"),
        "The secret of that access key.",
        "what was shown when the key was made",
    ),
];
