package doc

// Kind is the type of a value.
type Kind uint8

// The kinds of values. Absent is the kind of a value that is not there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	List
	Map
	Unsupported // a value that is there and could not be read; the tree has a problem that says why
)

var kindNames = [...]string{"nothing", "null", "true or false", "a number", "text", "a list", "an object", "a value that is not supported"}

// String names the kind in a sentence: "a list".
func (k Kind) String() string { return kindNames[k] }

// Tree is a parsed JSON or YAML document. It is never changed after parsing.
type Tree struct {
	// Text is what was parsed.
	Text string
	// Problems are what was passed over, in the order of the text: keys that a map has twice, unsupported syntax.
	Problems []Problem

	nodes []node
	index map[childKey]int32 // members of large maps
}

// node is one value. All nodes of a tree share one array: one allocation a node would cost the prompt a page fault each.
type node struct {
	at, end     int32 // the value's bytes
	key, keyEnd int32 // the bytes of its key, with quotation marks; both 0 in a list
	next        int32 // the next node of the same parent, 0 for none
	child       int32 // the first node inside, 0 for none
	count       int32 // nodes inside; of a block scalar of YAML its indentation
	kind        Kind
	form        form
}

// form says how scalars and keys are spelled.
type form uint8

const (
	formJSON form = iota
	formYAML      // the first character tells more
)

type childKey struct {
	parent int32
	name   string
}

// indexedFrom is the size from which on the members of a map are found by an index. Maps of real files are smaller.
const indexedFrom = 32

// add appends child to the nodes inside parent; last is the one added before, 0 for none. A member of a map whose name exists
// takes the place and loses the value of the first, as in JavaScript. It returns the last node inside parent.
func (t *Tree) add(parent, last, child int32, name string, keepDuplicates bool) int32 {
	p := &t.nodes[parent]
	if p.kind == Map {
		if at := t.find(parent, name); at >= 0 && !keepDuplicates {
			t.report(Problem{At: int(t.nodes[child].key), Text: "the key “" + name + "” appears twice", Fix: "keep one; the last one counts"})
			for v := range (Value{t, at}).Children() { // of the value that goes
				delete(t.index, childKey{at, v.Key()})
			}
			next := t.nodes[at].next
			t.nodes[at] = t.nodes[child]
			t.nodes[at].next = next
			t.indexMembers(at)
			return last
		}
	}
	if last == 0 {
		p.child = child
	} else {
		t.nodes[last].next = child
	}
	p.count++
	if p.kind == Map && p.count > indexedFrom {
		t.index[childKey{parent, name}] = child
	} else if p.count == indexedFrom {
		t.indexMembers(parent)
	}
	return child
}

// indexMembers puts the members of a large map into the index.
func (t *Tree) indexMembers(parent int32) {
	if p := &t.nodes[parent]; p.kind != Map || p.count < indexedFrom {
		return
	}
	if t.index == nil {
		t.index = map[childKey]int32{}
	}
	for v := range (Value{t, parent}).Children() {
		t.index[childKey{parent, v.Key()}] = v.i
	}
}

// maxProblems is how many problems a tree keeps. Nobody reads more, and a hostile text has millions.
const maxProblems = 1000

// report adds a problem at its place in the order of the text.
func (t *Tree) report(problem Problem) {
	if len(t.Problems) == maxProblems {
		return
	}
	t.Problems = append(t.Problems, problem)
	for i := len(t.Problems) - 1; i > 0 && t.Problems[i-1].At > problem.At; i-- {
		t.Problems[i-1], t.Problems[i] = problem, t.Problems[i-1]
	}
}

// find returns the member of a map with a name, -1 without one.
func (t *Tree) find(parent int32, name string) int32 {
	p := &t.nodes[parent]
	if p.kind != Map {
		return -1
	}
	if p.count >= indexedFrom {
		if i, ok := t.index[childKey{parent, name}]; ok {
			return i
		}
		return -1
	}
	for i := p.child; i != 0; i = t.nodes[i].next {
		if t.keyEquals(i, name) {
			return i
		}
	}
	return -1
}

func (t *Tree) keyEquals(i int32, name string) bool {
	n := &t.nodes[i]
	key := t.Text[n.key:n.keyEnd]
	if len(key) == len(name)+2 && key[0] == '"' && key[1:len(key)-1] == name {
		return Index(name, `\`) < 0
	}
	return Value{t, i}.Key() == name
}

// Root returns the value that the document is.
func (t *Tree) Root() Value {
	if t == nil || len(t.nodes) < 2 {
		return Value{}
	}
	return Value{t, 1} // 0 stands for no node
}

// Value is a value of a tree. The zero Value is one that is not there: its methods return nothing, so readers need no checks
// on the way to it.
type Value struct {
	tree *Tree
	i    int32
}

func (v Value) node() *node {
	if v.i == 0 {
		return &node{}
	}
	return &v.tree.nodes[v.i]
}

// Exists reports whether the value is there, be it null.
func (v Value) Exists() bool { return v.i != 0 }

// Kind returns the type of the value.
func (v Value) Kind() Kind { return v.node().kind }

// Is reports whether the value is of a kind.
func (v Value) Is(k Kind) bool { return v.node().kind == k }

// IsEmpty reports whether the value is absent or null.
func (v Value) IsEmpty() bool { return v.node().kind <= Null }

// Get returns the value that keys lead to. In a map with the same key twice, the last one counts.
func (v Value) Get(keys ...string) Value {
	for _, key := range keys {
		if v.i == 0 {
			break
		}
		v.i = max(0, v.tree.find(v.i, key))
	}
	return v
}

// Children iterates over the members of a map or the elements of a list.
func (v Value) Children() func(yield func(Value) bool) {
	return func(yield func(Value) bool) {
		for i := v.node().child; i != 0; i = v.tree.nodes[i].next {
			if !yield(Value{v.tree, i}) {
				return
			}
		}
	}
}

// Len returns the number of members or elements.
func (v Value) Len() int {
	if n := v.node(); n.kind >= List {
		return int(n.count)
	}
	return 0
}

// Offset returns where the value begins; of an absent one it is 0.
func (v Value) Offset() int { return int(v.node().at) }

// OffsetOr returns where the value begins, and other for an absent one.
func (v Value) OffsetOr(other int) int {
	if v.i == 0 {
		return other
	}
	return int(v.node().at)
}

// End returns the offset behind the value.
func (v Value) End() int { return int(v.node().end) }

// KeyOffset returns where the key of a member begins.
func (v Value) KeyOffset() int { return int(v.node().key) }

// Raw returns the bytes of the value.
func (v Value) Raw() string {
	if v.i == 0 {
		return ""
	}
	n := v.node()
	return v.tree.Text[n.at:n.end]
}

// Key returns the key of a member of a map.
func (v Value) Key() string {
	if v.i == 0 {
		return ""
	}
	n := v.node()
	key := v.tree.Text[n.key:n.keyEnd]
	switch {
	case key == "":
		return ""
	case n.form == formYAML:
		return unquoteYAML(key, 0)
	}
	return unquoteJSON(key)
}

// Text returns what a string says, and "" for any other kind.
func (v Value) Text() string {
	if !v.Is(String) {
		return ""
	}
	n := v.node()
	if n.form == formYAML {
		return unquoteYAML(v.Raw(), int(n.count))
	}
	return unquoteJSON(v.Raw())
}

// Scalar returns what a string says or how a number or truth value is spelled, and "" for anything else.
func (v Value) Scalar() string {
	switch v.Kind() {
	case String:
		return v.Text()
	case Number, Bool:
		return v.Raw()
	}
	return ""
}

// Bool returns a truth value; ok is false for any other kind.
func (v Value) Bool() (value, ok bool) {
	if !v.Is(Bool) {
		return false, false
	}
	return v.Raw()[0]|0x20 == 't', true
}

// FirstText returns the first of the values that is a string and not empty.
func FirstText(values ...Value) string {
	for _, v := range values {
		if text := v.Text(); text != "" {
			return text
		}
	}
	return ""
}
