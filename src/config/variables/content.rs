//! The content service: delivery, assets, images and imports.

use super::{Optional, Setting, settings};
use crate::config::syntax::{Megabytes, Number, Origin, Seconds, Secret, Text};

settings! {
    APP_RESOLVE_LIMIT: Setting<Number<usize, 1, 1000>> = "50",
        "How many relations, or linked stories, one response of the Delivery API resolves. Above that it names their UUIDs, and clients fetch them.",
        "500";
    APP_VENDOR_MAPI_URL: Optional<Origin> = "that of Storyblok, by region",
        "The origin of Storyblok's Management API for imports, without `/v1`: for a proxy, or for a test. It does not pass the guard.",
        "https://mapi.storyblok.com";
    APP_VENDOR_CDN_URL: Optional<Origin> = "that of Storyblok, by region",
        "The origin of Storyblok's Content Delivery API for imports, without `/v2`. It does not pass the guard.",
        "https://api.storyblok.com";
    APP_IMPORT_MEMORY_MB: Setting<Megabytes<16, 1_048_576>> = "256",
        "How much of its source one import may hold in memory, in megabytes: its lists, which take 0.7 KB for a story or folder, the records that are read, and the page that is made of them. An import that needs more fails (`importTooLarge`). What is written meanwhile takes up to twice as much again.",
        "1024";
    APP_DELIVERY_CACHE_MB: Setting<Megabytes<0, 1_048_576>> = "64",
        "The size of the cache of the Delivery API in megabytes. With 0 each read queries the database.",
        "512";
    APP_DELIVERY_LIST_KEYS_MB: Setting<Megabytes<0, 65_536>> = "16",
        "How many megabytes of keys of lists are kept: with them, the second page of a list of the Delivery API and every further one costs the look-up of its own stories. A list takes 8 bytes for each story that matches. Spaces whose stories would take more than a quarter of it do without, and so does every space with 0.",
        "64";
    APP_DELIVERY_AT_ONCE: Optional<Number<usize, 1, 1000>> = "4 for each core",
        "How many responses of the Delivery API that are not in the cache are rendered at a time. Others wait, at most 2 seconds. More help when the database is far away. A quarter of the connections of `APP_DB_POOL_SIZE`, two at least, is kept free of them, and one space has at most half of them.",
        "12";
    APP_DELIVERY_STATEMENT_TIMEOUT: Setting<Seconds<1, 30>> = "2",
        "How long PostgreSQL may work on a response of the Delivery API. A query that takes longer, or would by an estimate, is refused with 422. The map of all links of a space may take five times as long.",
        "5";
    APP_ASSET_MAX_MB: Setting<Megabytes<1, 10_240>> = "100",
        "The largest file that can be uploaded or imported, in megabytes. A proxy in front has a limit of its own.",
        "500";
    APP_IMAGE_CACHE_MB: Setting<Megabytes<0, 1_048_576>> = "1024",
        "How many megabytes of results of the image service are kept beside the files of assets, of all servers on one database together. Those that were not used for longest go first. 0 keeps none.",
        "10240";
    APP_IMAGE_MEMORY_MB: Setting<Megabytes<0, 1_048_576>> = "64",
        "How many megabytes of results of the image service each process keeps in its memory. 0 keeps none.",
        "256";
    APP_IMAGE_WORKERS: Optional<Number<usize, 1, 1024>> = "one for each core",
        "How many images are worked on at a time. Each takes about 4 bytes for each pixel of its original and of its result, and the file itself. Further ones wait; a space has at most half of the places.",
        "2";
    APP_IMAGE_TIMEOUT: Setting<Seconds<1, 20>> = "10",
        "How long one image may take. One that takes longer is refused with 422; an animation is its first frame then, for which a quarter of the time is kept.",
        "5";
    APP_IMAGE_MAX_MEGAPIXELS: Setting<Number<u64, 1, 500>> = "50",
        "How many million pixels an image may have for the image service. One that has more is refused with 422, before it is decoded. An animation that has more in all of its frames together is its first frame.",
        "100";
    APP_S3_ENDPOINT: Optional<Origin> = "assets lie in the data directory, in `assets`",
        "The object store that holds the assets. Several servers on one database need one. `APP_S3_BUCKET`, `APP_S3_ACCESS_KEY` and `APP_S3_SECRET_KEY` are needed with it.",
        "https://s3.eu-central-1.amazonaws.com";
    APP_S3_BUCKET: Optional<Text> = "needed with `APP_S3_ENDPOINT`",
        "The bucket, which has to exist. It is for one installation: objects without an asset in this database are removed.",
        "lectern-assets",
        "name of a bucket";
    APP_S3_REGION: Setting<Text> = "us-east-1",
        "The region that requests are signed for.",
        "eu-central-1",
        "name of a region";
    APP_S3_ACCESS_KEY: Optional<Secret<1>> = "needed with `APP_S3_ENDPOINT`",
        "The access key of the object store.",
        "the name of a key that can read, write, list and delete objects of the bucket",
        "access key";
    APP_S3_SECRET_KEY: Optional<Secret<1>> = "needed with `APP_S3_ENDPOINT`",
        "The secret of that access key.",
        "what was shown when the key was made",
        "secret key";
}
