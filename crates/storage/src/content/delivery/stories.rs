//! Reading stories: a page of a list, one by its identifier, or several by their UUIDs.

use super::{
    ReadScope,
    relations::{RelatedStories, RelationPlan},
    select::{all_keys_sql, assemble_sql, edition_of, edition_with_uuid, keyed_page_sql, list_sql},
    story::{self, COLUMNS, DeliveredStory},
};
use crate::{Executor, Result, content::where_builder::WhereBuilder, row};
use domain::{
    content::query::Plan,
    shared::{Page, PageRequest},
};
use tokio_postgres::Row;
use uuid::Uuid;

/// The identifier in a path of the API: a full slug, an id or a UUID, whichever the text can be. A full slug
/// wins over an id.
#[derive(Debug, Clone)]
pub struct Identifier {
    /// The text as it was sent.
    pub text: String,
    /// A language in which the path may be written, too; with or without its code in front, because
    /// `full_slug` has the code in front in an answer in that language.
    pub language: Option<String>,
}

impl Identifier {
    /// The path without the code of the language in front.
    fn path(&self) -> &str {
        let code = self.language.as_deref().unwrap_or_default();
        self.text.strip_prefix(code).and_then(|rest| rest.strip_prefix('/')).filter(|_| !code.is_empty()).unwrap_or(&self.text)
    }
}

/// Reads the page of a plan and the stories that it refers to, in one statement.
pub async fn list(
    executor: &impl Executor,
    scope: ReadScope<'_>,
    plan: &Plan,
    relations: &RelationPlan,
) -> Result<(Page<DeliveredStory>, RelatedStories)> {
    let (sql, builder) = list_sql(plan, scope, COLUMNS, relations);
    let rows = executor.rows(&sql, &builder.values()).await?;
    let total = rows.first().map_or(Ok(0), |row| row::get(row, "total"))?;
    let (items, related) = split_rows(scope, &rows)?;
    Ok((Page { items, total }, related))
}

/// The keys of all pages of a plan: the stories that match, in their order.
#[derive(Debug, Clone)]
pub struct ListKeys {
    keys: Vec<i64>,
    /// The state of the space that they are of, see [`super::read_access::ReadAccess::changed_at`].
    pub changed_at: i64,
}

impl ListKeys {
    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<i64>()
    }

    /// How many stories match.
    pub fn total(&self) -> i64 {
        i64::try_from(self.keys.len()).unwrap_or(i64::MAX)
    }

    /// The keys of a page.
    fn page(&self, page: PageRequest) -> &[i64] {
        let from = usize::try_from(page.offset()).unwrap_or(usize::MAX).min(self.keys.len());
        let limit = usize::try_from(page.limit()).unwrap_or_default();
        let rest = self.keys.get(from..).unwrap_or_default();
        rest.get(..limit).unwrap_or(rest)
    }
}

/// Works out the keys of all pages of a plan.
pub async fn list_keys(executor: &impl Executor, scope: ReadScope<'_>, plan: &Plan) -> Result<ListKeys> {
    let (sql, builder) = all_keys_sql(plan, scope);
    let row = executor.row(&sql, &builder.values()).await?;
    Ok(ListKeys { keys: row::get(&row, "keys")?, changed_at: row::get(&row, "changed_at")? })
}

/// Reads a page whose keys are known, and the stories that it refers to, in one statement. `None` when the
/// space has changed since the keys were worked out.
pub async fn list_by_keys(
    executor: &impl Executor,
    scope: ReadScope<'_>,
    keys: &ListKeys,
    page: PageRequest,
    relations: &RelationPlan,
) -> Result<Option<(Page<DeliveredStory>, RelatedStories)>> {
    let (sql, builder) = keyed_page_sql(keys.page(page), keys.total(), keys.changed_at, scope, COLUMNS, relations);
    let rows = executor.rows(&sql, &builder.values()).await?;
    let Some(total) = rows.first().map(|row| row::get(row, "total")).transpose()?.flatten() else { return Ok(None) };
    let (items, related) = split_rows(scope, &rows)?;
    Ok(Some((Page { items, total }, related)))
}

/// Splits the rows into the stories of the page and the related ones.
fn split_rows(scope: ReadScope<'_>, rows: &[Row]) -> Result<(Vec<DeliveredStory>, RelatedStories)> {
    let (mut page, mut related) = (Vec::new(), RelatedStories::default());
    for row in rows {
        let story = story::read_opt(scope, row)?;
        match row::get(row, "asked")? {
            Some(uuid) => related.add(uuid, story),
            None => page.extend(story),
        }
    }
    Ok((page, related))
}

/// Reads the stories of these UUIDs, in their order; those that do not have this version are left out.
pub async fn by_uuids(executor: &impl Executor, scope: ReadScope<'_>, uuids: &[Uuid]) -> Result<Vec<DeliveredStory>> {
    let mut builder = scope.builder();
    let conditions = builder.text().to_owned();
    let uuids = builder.bind(uuids.to_vec());
    let sql = format!(
        "select {COLUMNS} from unnest({uuids}::uuid[]) with ordinality as wanted (uuid, rank)
         cross join {} where {conditions} order by wanted.rank",
        edition_with_uuid("wanted.uuid")
    );
    executor.rows(&sql, &builder.values()).await?.iter().map(|row| story::read(scope, row)).collect()
}

/// Reads one story and the stories that it refers to, in one statement. A full slug that is the text as it
/// was sent comes first, so that no translation hides a path; then the path in the language, then the full
/// slug behind the code of the language.
pub async fn find(
    executor: &impl Executor,
    scope: ReadScope<'_>,
    identifier: &Identifier,
    relations: &RelationPlan,
) -> Result<Option<(DeliveredStory, RelatedStories)>> {
    let (sql, builder) = find_sql(scope, identifier, relations);
    let (mut found, related) = split_rows(scope, &executor.rows(&sql, &builder.values()).await?)?;
    Ok(found.pop().map(|story| (story, related)))
}

fn find_sql(scope: ReadScope<'_>, identifier: &Identifier, relations: &RelationPlan) -> (String, WhereBuilder) {
    let mut builder = scope.builder();
    let conditions = builder.text().to_owned();
    let text = &identifier.text;
    let (path, startpage) = (builder.bind(text.clone()), builder.bind(format!("{text}/")));
    let by_path = format!("editions edition where {conditions} and edition.full_slug in ({path}, {startpage})");
    let by_key = [
        text.parse::<i64>().ok().map(|id| edition_of(&builder.bind(id))),
        text.parse::<Uuid>().ok().map(|uuid| edition_with_uuid(&builder.bind(uuid))),
    ];
    let by_key: Vec<String> = by_key.iter().flatten().map(|edition| format!("select edition.story_id from {edition}")).collect();
    // Each way to name a story is a query of its own, which has an index: PostgreSQL may go through all
    // stories for conditions that are joined by `or`.
    let plain = if by_key.is_empty() {
        by_path
    } else {
        let edition = edition_of("named.story_id");
        let by_key = by_key.join(" union all ");
        format!("(select edition.story_id from {by_path} union all {by_key}) named cross join {edition} where {conditions}")
    };
    let order = format!("edition.full_slug = {path} desc, edition.full_slug = {startpage} desc limit 1");
    let Some(language) = &identifier.language else {
        if relations.steps.is_empty() {
            return (format!("select null::uuid as asked, {COLUMNS} from {plain} order by {order}"), builder);
        }
        let page = format!("select edition.story_id, 1::bigint as rank from {plain} order by {order}");
        return (assemble_sql(&mut builder, Vec::new(), "0", &page, scope, COLUMNS, relations), builder);
    };
    let (lang, local) = (builder.bind(language.clone()), builder.bind(identifier.path().to_owned()));
    let wanted = format!(
        "wanted as materialized (
             select edition.story_id, case edition.full_slug when {path} then 0 when {startpage} then 1 else 2 end as rank from {plain}
             union all
             select slug.story_id, case slug.path when {local} then 3 else 4 end
             from translated_slugs slug where slug.space_id = $1 and slug.lang = {lang} and slug.path in ({local}, {local} || '/')
             union all
             select edition.story_id, case edition.full_slug when {local} then 5 else 6 end
             from editions edition where {conditions} and edition.full_slug in ({local}, {local} || '/')
         )"
    );
    let page = format!(
        "select edition.story_id, 1::bigint as rank from wanted
         cross join {} where {conditions}
         order by wanted.rank, edition.story_id limit 1",
        edition_of("wanted.story_id")
    );
    (assemble_sql(&mut builder, vec![wanted], "0", &page, scope, COLUMNS, relations), builder)
}
