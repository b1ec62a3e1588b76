//! The rules of a statement, on what PostgreSQL's own parser made of it.

use super::{
    node::Node,
    tables::{self, Placement},
};
use support::prelude::*;

/// Each table by space has a condition `space_id = $n` of its own, and each row that is inserted into one has
/// `$n` or what such a table has.
pub(super) const SPACE: &str = "space";
/// No row lock on a table by space without such a condition.
pub(super) const LOCKS: &str = "locks";
/// No INSERT below WITH together with an INSERT on top.
pub(super) const INSERTS: &str = "inserts";
/// No subquery in VALUES or RETURNING.
pub(super) const SUBQUERIES: &str = "subqueries";
/// No table by space together with one on the coordinator.
pub(super) const JOINS: &str = "joins";

/// The operators `=` of the key, with integers of any size on the right.
const EQUALS: [usize; 3] = [410, 416, 1868];

const SELECT: usize = 1;
const INSERT: usize = 3;

// Kinds of entries of a range table.
const RELATION: usize = 0;
const SUBQUERY: usize = 1;
const VALUES: usize = 5;
const CTE: usize = 6;

// Kinds of joins.
const INNER: usize = 0;
const LEFT: usize = 1;
const RIGHT: usize = 3;

/// A table of the database, as statements refer to it.
pub(super) struct Table {
    pub(super) name: String,
    pub(super) placement: Placement,
    /// The number of the column by which it is distributed.
    pub(super) key: usize,
}

/// The tables by their OID.
pub(super) type Tables = BTreeMap<usize, Table>;

/// The rules that a statement breaks, with what breaks them.
pub(super) fn check(tables: &Tables, statement: &Node) -> BTreeSet<(&'static str, String)> {
    let mut check = Check { tables, found: BTreeSet::new(), used: BTreeMap::new() };
    check.find_queries(statement, &[]);
    check.writes_on_top(statement);
    let named = |placement| check.used.iter().filter(move |(_, used)| **used == placement).map(|(name, _)| *name);
    let (by_space, coordinator): (Vec<_>, Vec<_>) = (named(Placement::BySpace).collect(), named(Placement::Coordinator).collect());
    if !by_space.is_empty() && !coordinator.is_empty() {
        check.found.insert((JOINS, format!("{} with {}", by_space.join(", "), coordinator.join(", "))));
    }
    check.found
}

struct Check<'a> {
    tables: &'a Tables,
    found: BTreeSet<(&'static str, String)>,
    used: BTreeMap<&'a str, Placement>,
}

impl<'a> Check<'a> {
    /// Every query in a node, each with the queries around it, the innermost last.
    fn find_queries(&mut self, node: &'a Node, around: &[&'a Node]) {
        let mut inner = around.to_vec();
        if node.kind() == "QUERY" {
            inner.push(node);
            self.query(&inner);
        }
        for child in node.children() {
            self.find_queries(child, &inner);
        }
    }

    fn query(&mut self, queries: &[&'a Node]) {
        let Some(query) = queries.last() else { return };
        let target = if query.field("commandType").number() == INSERT { query.field("resultRelation").number() } else { 0 };
        let locked: Vec<usize> = query.field("rowMarks").items().iter().map(|mark| mark.field("rti").number()).collect();
        for (index, entry) in query.field("rtable").items().iter().enumerate().map(|(index, entry)| (index + 1, entry)) {
            let Some(table) = self.table(entry) else { continue };
            self.used.insert(&table.name, table.placement);
            // `excluded` of ON CONFLICT is the row that is being inserted.
            let is_excluded = index == query.field("onConflict").field("exclRelIndex").number();
            if table.placement != Placement::BySpace || is_excluded {
                continue;
            }
            if index == target {
                if !self.is_target_known(queries, query.field("targetList"), table.key) {
                    self.found.insert((SPACE, format!("inserts into {} without $n for {}", table.name, tables::key(&table.name))));
                }
            } else if !has_own_key(query, index, table.key) {
                let name = entry.field("eref").field("aliasname").word();
                self.found.insert((SPACE, format!("{} as {name} has no {} = $n", table.name, tables::key(&table.name))));
                if locked.contains(&index) {
                    self.found.insert((LOCKS, format!("locks rows of {} without {} = $n", table.name, tables::key(&table.name))));
                }
            }
        }
        self.subqueries(query, target);
    }

    fn table(&self, entry: &Node) -> Option<&'a Table> {
        (entry.field("rtekind").number() == RELATION).then(|| self.tables.get(&entry.field("relid").number())).flatten()
    }

    fn subqueries(&mut self, query: &Node, target: usize) {
        let entries = query.field("rtable").items();
        let written = query.field("resultRelation").number().checked_sub(1).and_then(|index| self.table(entries.get(index)?));
        if written.is_none_or(|table| table.placement == Placement::Coordinator) {
            return;
        }
        // A single row of VALUES has no entry of its own: its expressions are the targets.
        let is_row = target > 0 && query.field("jointree").field("fromlist").items().is_empty();
        let values = entries.iter().filter(|entry| target > 0 && entry.field("rtekind").number() == VALUES);
        if values
            .map(|entry| entry.field("values_lists"))
            .chain(is_row.then(|| query.field("targetList")))
            .any(|node| node.has("SUBLINK"))
        {
            self.found.insert((SUBQUERIES, "has a subquery in VALUES".to_owned()));
        }
        if query.field("returningList").has("SUBLINK") {
            self.found.insert((SUBQUERIES, "has a subquery in RETURNING".to_owned()));
        }
    }

    fn writes_on_top(&mut self, statement: &Node) {
        let Some(top) = statement.items().first().map(innermost) else { return };
        let inserts = |query: &&Node| query.field("commandType").number() == INSERT;
        let below = top.field("cteList").items().iter().map(|cte| cte.field("ctequery")).filter(inserts).count();
        let is_distributed = self.used.values().any(|placement| *placement != Placement::Coordinator);
        if is_distributed && inserts(&top) && below > 0 {
            self.found.insert((INSERTS, "inserts below WITH and on top".to_owned()));
        }
    }

    /// Whether the column with this number of what a query gives to the one around it has a known key.
    fn is_key_given(&self, queries: &[&'a Node], column: usize) -> bool {
        let Some(query) = queries.last() else { return false };
        if query.field("setOperations") != &Node::Nothing {
            let entries = query.field("rtable").items();
            return entries.iter().all(|entry| {
                let inner: Vec<&Node> = queries.iter().copied().chain([entry.field("subquery")]).collect();
                self.is_key_given(&inner, column)
            });
        }
        let list = if query.field("commandType").number() == SELECT { "targetList" } else { "returningList" };
        self.is_target_known(queries, query.field(list), column)
    }

    fn is_target_known(&self, queries: &[&'a Node], list: &Node, column: usize) -> bool {
        let target = list.items().iter().find(|target| target.field("resno").number() == column);
        target.is_some_and(|target| self.is_known(queries, target.field("expr")))
    }

    /// Whether an expression of a query is `$n`, or the key of a table that has a condition of its own.
    fn is_known(&self, queries: &[&'a Node], expression: &Node) -> bool {
        let Some(query) = queries.last() else { return false };
        if is_value(expression) {
            return true;
        }
        let expression = uncast(expression);
        if expression.kind() != "VAR" || expression.field("varlevelsup").number() > 0 {
            return false;
        }
        let (index, column) = (expression.field("varno").number(), expression.field("varattno").number());
        let Some(entry) = query.field("rtable").items().get(index - 1) else { return false };
        match entry.field("rtekind").number() {
            RELATION => {
                let is_key = self.table(entry).is_some_and(|table| table.key == column);
                // RETURNING gives what was inserted.
                let is_inserted = query.field("commandType").number() == INSERT && query.field("resultRelation").number() == index;
                let inserted = query.field("targetList");
                is_key && (has_own_key(query, index, column) || (is_inserted && self.is_target_known(queries, inserted, column)))
            }
            SUBQUERY => {
                let inner: Vec<&Node> = queries.iter().copied().chain([entry.field("subquery")]).collect();
                self.is_key_given(&inner, column)
            }
            VALUES => entry.field("values_lists").items().iter().all(|row| row.items().get(column - 1).is_some_and(is_value)),
            CTE => {
                let levels = queries.len().saturating_sub(entry.field("ctelevelsup").number());
                let Some(home) = levels.checked_sub(1).and_then(|level| queries.get(level)) else { return false };
                let cte = home.field("cteList").items().iter().find(|cte| cte.field("ctename") == entry.field("ctename"));
                let inner = cte.map(|cte| queries[..levels].iter().copied().chain([cte.field("ctequery")]).collect::<Vec<_>>());
                inner.is_some_and(|inner| self.is_key_given(&inner, column))
            }
            _ => false,
        }
    }
}

/// A statement is written down as a list of its rewritten forms, each a list.
fn innermost(node: &Node) -> &Node {
    node.items().first().map_or(node, innermost)
}

/// Whether `key = $n` is among the conditions of an entry of the range table.
fn has_own_key(query: &Node, index: usize, key: usize) -> bool {
    let is_key = |node: &Node| {
        let node = uncast(node);
        let is_own = node.field("varno").number() == index && node.field("varlevelsup").number() == 0;
        node.kind() == "VAR" && is_own && node.field("varattno").number() == key
    };
    let is_pinned = |condition: &Node| match condition.field("args").items() {
        [left, right] if condition.kind() == "OPEXPR" && EQUALS.contains(&condition.field("opno").number()) => {
            (is_key(left) && is_value(right)) || (is_key(right) && is_value(left))
        }
        _ => false,
    };
    let mut conditions = Vec::new();
    conjuncts(query.field("jointree"), index, &mut conditions);
    conditions.into_iter().any(is_pinned)
}

/// What has to hold of the rows of an entry that are read, by `from`, `on` and `where`, joined by `and`.
fn conjuncts<'a>(node: &'a Node, index: usize, found: &mut Vec<&'a Node>) {
    match node.kind() {
        "FROMEXPR" | "JOINEXPR" => {
            let parts = node.field("fromlist").items().iter().chain([node.field("larg"), node.field("rarg")]);
            for part in parts.chain(narrows(node, index).then(|| node.field("quals"))) {
                conjuncts(part, index, found);
            }
        }
        "BOOLEXPR" if node.field("boolop").word() == "and" => {
            for condition in node.field("args").items() {
                conjuncts(condition, index, found);
            }
        }
        _ => found.push(node),
    }
}

/// Whether the condition of a join leaves out rows of an entry. That of an outer join does so on its other
/// side only.
fn narrows(node: &Node, index: usize) -> bool {
    match (node.kind(), node.field("jointype").number()) {
        ("FROMEXPR", _) | (_, INNER) => true,
        (_, LEFT) => reads(node.field("rarg"), index),
        (_, RIGHT) => reads(node.field("larg"), index),
        _ => false,
    }
}

/// Whether an entry is in a part of `from`.
fn reads(node: &Node, index: usize) -> bool {
    (node.kind() == "RANGETBLREF" && node.field("rtindex").number() == index) || node.children().any(|child| reads(child, index))
}

/// A parameter or a constant, cast or not.
fn is_value(node: &Node) -> bool {
    let node = uncast(node);
    node.kind() == "CONST" || (node.kind() == "PARAM" && node.field("paramkind").number() == 0)
}

fn uncast(node: &Node) -> &Node {
    match (node.kind(), node.field("args").items()) {
        ("RELABELTYPE" | "COERCEVIAIO", _) => uncast(node.field("arg")),
        // A cast between integers is a function.
        ("FUNCEXPR", [only]) if ["1", "2"].contains(&node.field("funcformat").word()) => uncast(only),
        _ => node,
    }
}
