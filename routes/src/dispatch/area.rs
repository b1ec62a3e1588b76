//! What the first segments of a path say.

use super::Lane;
use crate::web::ErrorFormat;

/// A part of the server, by the first segments of its paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Area<'a> {
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

/// Where nothing is, but the errors have to be worded.
static NOTHING: [Lane; 3] = [
    Lane { name: "none", dialect: ErrorFormat::Delivery, group: None, shortcut: None, patience: None, meter: None },
    Lane { name: "none", dialect: ErrorFormat::Management, group: None, shortcut: None, patience: None, meter: None },
    Lane { name: "none", dialect: ErrorFormat::Identity, group: None, shortcut: None, patience: None, meter: None },
];

impl<'a> Area<'a> {
    /// The area of a path.
    pub fn of(path: &'a str) -> Self {
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

    /// The lane for an area that has no group.
    pub(super) fn nothing(self) -> &'static Lane {
        let [delivery, management, identity] = &NOTHING;
        match self {
            Self::Delivery | Self::Api("v2") => delivery,
            Self::Spaces | Self::Space(_) | Self::Api("v1") => management,
            Self::Api(_) | Self::Root(_) => identity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Area;

    #[test]
    fn the_first_segments_decide() {
        for (path, area) in [
            ("/api/v2/cdn/stories/a/b", Area::Delivery),
            ("/api/v1/spaces", Area::Spaces),
            ("/api/v1/spaces/", Area::Spaces),
            ("/api/v1/spaces/7", Area::Spaces),
            ("/api/v1/spaces/7/", Area::Spaces),
            ("/api/v1/spaces/7/stories", Area::Space("stories")),
            ("/api/v1/spaces/7/stories/8/publish", Area::Space("stories")),
            ("/api/v1/other", Area::Api("v1")),
            ("/api/auth/login", Area::Api("auth")),
            ("/api", Area::Api("")),
            ("/metrics", Area::Root("metrics")),
            ("/", Area::Root("")),
            ("", Area::Root("")),
            ("//api/v2/cdn", Area::Root("")),
        ] {
            assert_eq!(Area::of(path), area, "{path}");
        }
    }
}
