//! The variables of the files of assets.

use super::{problem::Problem, reader::Reader, variables::content};
use std::{path::Path, time::Duration};
use storage::{
    IsThere,
    blobs::{BlobSettings, S3Settings},
};

/// How long the object store may take to respond; less than a request may take.
const S3_TIMEOUT: Duration = Duration::from_secs(10);

/// Where the files of assets lie, and how large they may be.
#[derive(Clone)]
pub struct AssetSettings {
    max_bytes: u64,
    s3: Option<S3Settings>,
}

impl AssetSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, Problem> {
        let max_bytes = reader.value(content::APP_ASSET_MAX_MB)?;
        let endpoint = reader.optional(content::APP_S3_ENDPOINT);
        let region = reader.value(content::APP_S3_REGION)?;
        let bucket = reader.optional(content::APP_S3_BUCKET);
        let access_key = reader.optional(content::APP_S3_ACCESS_KEY);
        let secret_key = reader.optional(content::APP_S3_SECRET_KEY);
        if endpoint.is_some() {
            let parts = [
                (content::APP_S3_BUCKET.variable, bucket.is_none()),
                (content::APP_S3_ACCESS_KEY.variable, access_key.is_none()),
                (content::APP_S3_SECRET_KEY.variable, secret_key.is_none()),
            ];
            for (variable, _) in parts.into_iter().filter(|(_, is_missing)| *is_missing) {
                reader.note(variable.problem("is needed with APP_S3_ENDPOINT"));
            }
        } else if bucket.is_some() {
            // Without this error a bucket without an endpoint would silently put the files on the disk of one
            // machine.
            reader.note(content::APP_S3_ENDPOINT.variable.problem("is needed with APP_S3_BUCKET"));
        }
        let s3 = match (endpoint, bucket, access_key, secret_key) {
            (Some(endpoint), Some(bucket), Some(access_key), Some(secret_key)) => {
                Some(S3Settings { endpoint, region, bucket, access_key, secret_key, timeout: S3_TIMEOUT })
            }
            _ => None,
        };
        Ok(Self { max_bytes, s3 })
    }

    /// The settings of the store of files, with paths below a data directory.
    pub fn below(&self, data: &Path, is_there: IsThere) -> BlobSettings {
        BlobSettings { directory: data.join("assets"), s3: self.s3.clone(), max_bytes: self.max_bytes, is_there }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Environment};

    fn problem(pairs: &[(&str, &str)]) -> Option<String> {
        Config::read(&Environment::of(pairs.iter().copied())).err().map(|value| value.to_string())
    }

    #[test]
    fn an_object_store_is_configured_whole_or_not_at_all() {
        let whole = [
            ("APP_S3_ENDPOINT", "http://127.0.0.1:9000"),
            ("APP_S3_BUCKET", "b"),
            ("APP_S3_ACCESS_KEY", "a"),
            ("APP_S3_SECRET_KEY", "s"),
        ];
        assert_eq!(problem(&whole), None);
        for left_out in 0..whole.len() {
            let rest: Vec<_> = whole.iter().enumerate().filter(|(number, _)| *number != left_out).map(|(_, w)| *w).collect();
            let problem = problem(&rest).unwrap();
            assert!(problem.starts_with(&format!("{}: ", whole[left_out].0)) && problem.lines().count() == 1, "{problem}");
        }
    }
}
