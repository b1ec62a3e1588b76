//! The prefix that assigns a path to a group of endpoints.

use super::RouteGroup;
use crate::web::ErrorFormat;

/// A part of the server, by the first segments of its paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoutePrefix<'a> {
    /// `/api/v2/cdn/…`
    Delivery,
    /// `/api/v1/spaces` and `/api/v1/spaces/{id}`
    Spaces,
    /// `/api/v1/spaces/{id}/{resource}/…`
    Space(&'a str),
    /// `/api/{name}/…`
    Api(&'a str),
    /// `/{name}/…`
    Root(&'a str),
}

/// Groups without endpoints: they give a 404 below their prefix the error format of its API.
static NO_GROUP: [RouteGroup; 4] = [
    RouteGroup { format: ErrorFormat::Delivery, endpoints: Vec::new(), fast_path: None },
    RouteGroup { format: ErrorFormat::Management, endpoints: Vec::new(), fast_path: None },
    RouteGroup { format: ErrorFormat::Identity, endpoints: Vec::new(), fast_path: None },
    RouteGroup { format: ErrorFormat::OAuth, endpoints: Vec::new(), fast_path: None },
];

impl<'a> RoutePrefix<'a> {
    /// The prefix of a path, or of a template.
    pub(super) fn of(path: &'a str) -> Self {
        let mut segments = path.strip_prefix('/').unwrap_or(path).split('/');
        let mut next = || segments.next().unwrap_or_default();
        match (next(), next(), next()) {
            ("api", "v2", "cdn") => Self::Delivery,
            ("api", "v1", "spaces") => match (next(), next()) {
                (_, "") => Self::Spaces,
                (_, resource) => Self::Space(resource),
            },
            ("api", name, _) => Self::Api(name),
            (name, _, _) => Self::Root(name),
        }
    }

    /// The group of a prefix that has none.
    pub(super) fn no_group(self) -> &'static RouteGroup {
        let [delivery, management, identity, oauth] = &NO_GROUP;
        match self {
            Self::Delivery | Self::Api("v2") => delivery,
            Self::Spaces | Self::Space(_) | Self::Api("v1") => management,
            Self::Root("oidc" | ".well-known") => oauth,
            Self::Api(_) | Self::Root(_) => identity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RoutePrefix;

    #[test]
    fn the_first_segments_decide() {
        for (path, prefix) in [
            ("/api/v2/cdn/stories/a/b", RoutePrefix::Delivery),
            ("/api/v1/spaces", RoutePrefix::Spaces),
            ("/api/v1/spaces/", RoutePrefix::Spaces),
            ("/api/v1/spaces/7", RoutePrefix::Spaces),
            ("/api/v1/spaces/7/", RoutePrefix::Spaces),
            ("/api/v1/spaces/7/stories", RoutePrefix::Space("stories")),
            ("/api/v1/spaces/{space}/stories/{id}", RoutePrefix::Space("stories")),
            ("/api/v1/spaces/7/stories/8/publish", RoutePrefix::Space("stories")),
            ("/api/v1/other", RoutePrefix::Api("v1")),
            ("/api/auth/login", RoutePrefix::Api("auth")),
            ("/api", RoutePrefix::Api("")),
            ("/metrics", RoutePrefix::Root("metrics")),
            ("/", RoutePrefix::Root("")),
            ("", RoutePrefix::Root("")),
            ("//api/v2/cdn", RoutePrefix::Root("")),
        ] {
            assert_eq!(RoutePrefix::of(path), prefix, "{path}");
        }
    }
}
