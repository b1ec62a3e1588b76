//! `/admin/configuration`: the variables that the process was started with.

use super::{Administrator, ApiRequest, ApiResponse, Pages};
use crate::identity::admin::ConfigVariable;
use domain::shared::Fault;
use pages::console::configuration::{ConfigurationView, VariableRow, configuration_page};

/// The page: what `GET /api/admin/config` answers, filtered.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let value = |name: &str| query.get(name).unwrap_or_default().trim();
    let (search, group, set) = (value("search"), value("group"), value("set"));
    let words = search.to_lowercase();
    let is_shown = |variable: &&ConfigVariable| {
        let is_found = variable.name.to_lowercase().contains(&words) || variable.description.to_lowercase().contains(&words);
        is_found && (group.is_empty() || variable.group == group) && (set.is_empty() || variable.is_set == (set == "true"))
    };
    let catalogue = &pages.identity.config;
    let mut all_groups: Vec<&str> = Vec::new();
    for variable in catalogue.iter() {
        if !all_groups.contains(&variable.group) {
            all_groups.push(variable.group);
        }
    }
    let of_group = |group: &&'static str| {
        let variables = catalogue.iter().filter(|variable| variable.group == *group).filter(is_shown);
        (*group, variables.map(row).collect::<Vec<_>>())
    };
    let groups = all_groups.iter().map(of_group).filter(|(_, variables)| !variables.is_empty()).collect();
    let view = ConfigurationView { search, group, set, all_groups: &all_groups, groups };
    Ok(administrator.ok(&pages, |console| configuration_page(console, &view)))
}

fn row(variable: &ConfigVariable) -> VariableRow<'_> {
    VariableRow {
        name: variable.name,
        form: &variable.form,
        value: variable.value.as_deref(),
        default: variable.default,
        is_set: variable.is_set,
        requires_restart: variable.requires_restart,
        description: variable.description,
    }
}
