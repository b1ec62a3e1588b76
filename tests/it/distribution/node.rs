//! Reads how PostgreSQL writes a parsed statement down (`pg_node_tree`): `{QUERY :commandType 1 :rtable
//! ({RANGETBLENTRY …}) …}`.

/// A part of a parsed statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// `<>`
    Nothing,
    /// A number, a name, or anything else without structure.
    Word(String),
    /// `(…)`
    List(Vec<Node>),
    /// `{KIND :field value …}`
    Object(String, Vec<(String, Node)>),
}

impl Node {
    /// Reads a whole text.
    pub(super) fn read(text: &str) -> Self {
        let mut words = Words { rest: text };
        let first = words.next().expect("an empty text");
        words.node(&first)
    }

    /// A field of an object; nothing where there is none.
    pub(super) fn field(&self, name: &str) -> &Self {
        match self {
            Self::Object(_, fields) => fields.iter().find(|(field, _)| field == name).map_or(&Self::Nothing, |(_, value)| value),
            _ => &Self::Nothing,
        }
    }

    /// The kind of an object.
    pub(super) fn kind(&self) -> &str {
        if let Self::Object(kind, _) = self { kind } else { "" }
    }

    /// The items of a list; none of anything else.
    pub(super) fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// A number; zero of anything else, which is also what PostgreSQL writes for «none».
    pub(super) fn number(&self) -> usize {
        self.word().parse().unwrap_or_default()
    }

    /// A word; empty for anything else.
    pub(super) fn word(&self) -> &str {
        if let Self::Word(word) = self { word } else { "" }
    }

    /// Whether this or anything in it is an object of this kind.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.kind() == kind || self.children().any(|child| child.has(kind))
    }

    /// What is directly in it.
    pub(super) fn children(&self) -> impl Iterator<Item = &Self> {
        let (items, fields): (&[Self], &[(String, Self)]) = match self {
            Self::List(items) => (items, &[]),
            Self::Object(_, fields) => (&[], fields),
            Self::Nothing | Self::Word(_) => (&[], &[]),
        };
        items.iter().chain(fields.iter().map(|(_, value)| value))
    }
}

/// The words of a text. A backslash takes the meaning from the character behind it.
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    fn next(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        if "(){}".contains(first) {
            self.rest = &self.rest[1..];
            return Some(first.to_string());
        }
        let mut is_escaped = false;
        let end = self.rest.find(|character: char| {
            let ends = !is_escaped && (character.is_whitespace() || "(){}".contains(character));
            is_escaped = !is_escaped && character == '\\';
            ends
        });
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        Some(word.to_owned())
    }

    /// The node that begins with this word.
    fn node(&mut self, first: &str) -> Node {
        match first {
            "<>" => Node::Nothing,
            "(" => {
                let mut items = Vec::new();
                loop {
                    match self.next().expect("an open list").as_str() {
                        ")" => return Node::List(items),
                        word => items.push(self.node(word)),
                    }
                }
            }
            "{" => self.object(),
            word => Node::Word(word.to_owned()),
        }
    }

    fn object(&mut self) -> Node {
        let kind = self.next().expect("an object without a kind");
        let mut fields: Vec<(String, Node)> = Vec::new();
        loop {
            let word = self.next().expect("an open object");
            match (word.as_str(), word.strip_prefix(':'), fields.last_mut()) {
                ("}", ..) => return Node::Object(kind, fields),
                (_, Some(name), _) => fields.push((name.to_owned(), Node::Nothing)),
                // A constant has several words, and nothing here looks at them: the last stays.
                (word, None, Some(_)) => {
                    let value = self.node(word);
                    if let Some((_, last)) = fields.last_mut() {
                        *last = value;
                    }
                }
                (word, None, None) => panic!("{kind} begins with {word}"),
            }
        }
    }
}

#[test]
fn a_node_is_read_as_postgresql_writes_it() {
    let node =
        Node::read(r#"({ALIAS :aliasname a\ b\} :colnames ("id" "sp\(ace") :empty <> :constvalue 2 [ 1 0 ] :ids (o 20 21)})"#);
    let [alias] = node.items() else { panic!("{node:?}") };
    assert_eq!((alias.kind(), alias.field("aliasname").word()), ("ALIAS", r"a\ b\}"));
    assert_eq!(alias.field("colnames").items().len(), 2);
    assert_eq!((alias.field("empty"), alias.field("missing")), (&Node::Nothing, &Node::Nothing));
    assert_eq!(alias.field("ids").items()[1].number(), 20);
    assert!(node.has("ALIAS") && !node.has("QUERY"));
}
