//! What is planned for a story, in the languages that this space has.

use crate::content::import::apply::ChunkOutcome;
use domain::content::{
    Language,
    import::Subject,
    language::suffix,
    language_selection::DEFAULT,
    scheduling::{PublishAction, StoryPlan},
};
use jiff::Timestamp;

/// The plans of the source, by whether they can be kept.
pub(super) struct Plans {
    /// With the codes of this space.
    pub(super) kept: Vec<StoryPlan>,
    /// Those for one language that this space does not have.
    left_out: Vec<StoryPlan>,
}

impl Plans {
    pub(super) fn of(planned: &[StoryPlan], languages: &[Language]) -> Self {
        let mut plans = Self { kept: Vec::with_capacity(planned.len()), left_out: Vec::new() };
        for plan in planned {
            let Some(code) = plan.language.as_deref().filter(|code| *code != DEFAULT) else {
                plans.kept.push(plan.clone());
                continue;
            };
            match languages.iter().find(|language| suffix(&language.code) == suffix(code)) {
                Some(here) => plans.kept.push(StoryPlan { language: Some(here.code.clone()), ..plan.clone() }),
                None => plans.left_out.push(plan.clone()),
            }
        }
        // Two spellings of one language are one here.
        plans.kept.sort_unstable();
        plans.kept.dedup();
        plans
    }

    /// Those that are still to come; the source has executed the others.
    pub(super) fn future(&self, now: Timestamp) -> Vec<StoryPlan> {
        self.kept.iter().filter(|plan| plan.at > now).cloned().collect()
    }

    /// Reports what was still to come and is left out.
    pub(super) fn report(&self, story: Subject<'_>, now: Timestamp, outcome: &mut ChunkOutcome) {
        for StoryPlan { at, action, language } in self.left_out.iter().filter(|plan| plan.at > now) {
            let done = match action {
                PublishAction::Publish => "published",
                PublishAction::Unpublish => "taken offline",
            };
            let code = language.as_deref().unwrap_or_default();
            let message = format!("was to be {done} in {code} at {at}, a language that this space does not have: that is left out");
            outcome.warn(story.finding("scheduleLanguageMissing", message));
        }
    }
}
