//! The problems of a story.

use crate::shared::{BlockDetail, Code, Detail, Fault, FieldCode, Severity};
use serde::Serialize;

/// The most problems of one validation.
pub const MAX_PROBLEMS: usize = 1_000;

/// What is wrong with one field, or with one block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The path of the field from the root block: `body/3/cta/0/label`; of a block in rich text
    /// `text/<number of its node>/<its number in it>`.
    pub field: String,
    /// The `_uid` of the block that has the field.
    pub uid: Option<String>,
    pub code: FieldCode,
    /// What is wrong, in the words of Storyblok where it has some.
    pub message: String,
    pub severity: Severity,
}

impl From<Problem> for Detail {
    fn from(problem: Problem) -> Self {
        let Problem { field, uid, code, message, severity } = problem;
        Self { block: Some(BlockDetail { uid, severity }), ..Self::new(field, code, message) }
    }
}

/// The problems of a story, in the order of its content. Beyond [`MAX_PROBLEMS`] errors come before warnings.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    errors: Vec<(usize, Problem)>,
    warnings: Vec<(usize, Problem)>,
    found: usize,
}

impl Problems {
    /// Whether another problem of this code would be kept.
    pub(super) fn takes(&self, code: FieldCode) -> bool {
        match severity(code) {
            Severity::Error => self.errors.len() < MAX_PROBLEMS,
            Severity::Warning => self.warnings.len() < MAX_PROBLEMS,
        }
    }

    /// Adds a problem, which [`Self::takes`].
    pub(super) fn add(&mut self, field: String, uid: Option<String>, code: FieldCode, message: String) {
        let severity = severity(code);
        let kept = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        kept.push((self.found, Problem { field, uid, code, message, severity }));
        self.found += 1;
    }

    /// Whether the story may be published where only valid ones are.
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// All of them, in the order of the content.
    pub fn into_vec(self) -> Vec<Problem> {
        let Self { errors, mut warnings, .. } = self;
        warnings.truncate(MAX_PROBLEMS.saturating_sub(errors.len()));
        let mut all = [errors, warnings].concat();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, problem)| problem).collect()
    }

    /// 422 about a story that is not published because it has errors: all problems, errors first.
    pub fn refusal(self) -> Fault {
        let count = self.errors.len();
        let message = format!(
            "The story is not valid and was not published: {count} {} to be corrected, see details. This space publishes valid stories only (publish_requires_valid)",
            if count == 1 { "field has" } else { "fields have" }
        );
        let all = self.errors.into_iter().chain(self.warnings).take(MAX_PROBLEMS);
        Fault::new(Code::InvalidRecord, message).about(all.map(|(_, problem)| problem.into()).collect())
    }
}

/// How serious a problem with this code is.
pub(super) fn severity(code: FieldCode) -> Severity {
    match code {
        FieldCode::BadPattern
        | FieldCode::ExternalUrlNotAllowed
        | FieldCode::LinkTypeNotAllowed
        | FieldCode::NotAMultiple
        | FieldCode::OutsideFolder
        | FieldCode::PatternUndecided
        | FieldCode::TimeNotAllowed
        | FieldCode::TooDeep
        | FieldCode::UnknownComponent
        | FieldCode::UnknownCondition
        | FieldCode::UnknownField
        | FieldCode::UnknownOption
        | FieldCode::UnknownStory
        | FieldCode::WrongType => Severity::Warning,
        _ => Severity::Error,
    }
}
