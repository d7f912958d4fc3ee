package doc

// Kind is the type of a value.
type Kind uint8

// The kinds of values. Absent is the kind of the zero Value.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	List
	Map
	Unsupported // a value that could not be read; a problem of the tree says why
)

var kindNames = [...]string{"nothing", "null", "true or false", "a number", "text", "a list", "an object", "a value that is not supported"}

// String names the kind in a sentence: "a list".
func (k Kind) String() string { return kindNames[k] }

// Tree is a parsed JSON or YAML document. It is never changed after parsing.
type Tree struct {
	// Text is the parsed text, with everything around the document.
	Text string
	// Problems are the parts that the parser skipped or did not understand, in the order of the text.
	Problems []Problem

	nodes []node               // the first one represents the missing node
	index map[memberName]int32 // members of large maps
}

// node is one value. All nodes of a tree share one array: one allocation a node would cost the prompt a page fault each.
type node struct {
	at, end     int32 // the value's bytes
	key, keyEnd int32 // the bytes of its key, with quotation marks; both 0 in a list
	next        int32 // the next node of the same parent, 0 for none
	child       int32 // the first node inside, 0 for none
	count       int32 // nodes inside; for a block scalar of YAML its indentation
	kind        Kind
	margin      uint8 // quotation marks on each side of the key, encodedKey if its name is spelled otherwise
}

const encodedKey = 2

// memberName names a member of a map. The first member represents the map: it stays if the map replaces another value.
type memberName struct {
	first int32
	name  string
}

const (
	// MaxValues limits the values of a document. A loop of 2,000 phases has 40,000.
	MaxValues = 400_000
	// maxDepth limits the nesting of values, because a hostile text must not exhaust the stack.
	maxDepth = 512
	// maxProblems limits the problems of a tree. Nobody reads more, and a hostile text has millions.
	maxProblems = 1000
	// indexedFrom is the size at which a map gets an index. Maps of real files are smaller.
	indexedFrom = 32
)

// newTree returns a tree without values, with room for a text of size bytes. Room that is never used costs nothing.
func newTree(text string, size int) *Tree {
	return &Tree{Text: text, nodes: make([]node, 1, 16+min(size/24, MaxValues))}
}

// openNode appends an empty node. excess says which limit of a document it breaks.
func (t *Tree) openNode(at, depth int) (i int32, excess string) {
	i = int32(len(t.nodes))
	t.nodes = append(t.nodes, node{at: int32(at), end: int32(at), kind: Null})
	switch {
	case i > MaxValues:
		excess = "more values than a state file can have (400,000)"
	case depth > maxDepth:
		excess = "nested deeper than 512 maps and lists"
	}
	return i, excess
}

// addChild appends child to the nodes inside parent; last is the node added before, 0 for none. A member of a map whose key exists
// takes the place and loses the value of the first, as in JavaScript. It returns the last node inside parent.
func (t *Tree) addChild(parent, last, child int32, key, keyEnd int) int32 {
	n, p := &t.nodes[child], &t.nodes[parent]
	n.key, n.keyEnd = int32(key), int32(keyEnd)
	if p.kind == Map {
		spelled := t.Text[key:keyEnd]
		name := decodeScalar(spelled, 0)
		if n.margin = encodedKey; name == spelled {
			n.margin = 0
		} else if len(spelled) >= 2 && name == spelled[1:len(spelled)-1] {
			n.margin = 1
		}
		if i := t.findMember(parent, name); i != 0 {
			t.reportProblem(Problem{At: key, Text: "the key “" + name + "” appears twice", Fix: "keep one; the last one counts"})
			next := t.nodes[i].next
			t.nodes[i] = *n
			t.nodes[i].next = next
			return last
		}
	}
	if last == 0 {
		p.child = child
	} else {
		t.nodes[last].next = child
	}
	if p.count++; p.kind != Map || p.count < indexedFrom {
		return child
	}
	i := child
	if p.count == indexedFrom {
		i = p.child
	}
	if t.index == nil {
		t.index = map[memberName]int32{}
	}
	for ; i != 0; i = t.nodes[i].next {
		t.index[memberName{p.child, Value{t, i}.Key()}] = i
	}
	return child
}

// reportProblem adds a problem at its place in the order of the text.
func (t *Tree) reportProblem(problem Problem) {
	if len(t.Problems) == maxProblems {
		return
	}
	t.Problems = append(t.Problems, problem)
	for i := len(t.Problems) - 1; i > 0 && t.Problems[i-1].At > problem.At; i-- {
		t.Problems[i-1], t.Problems[i] = problem, t.Problems[i-1]
	}
}

// findMember returns the member of a map with a name, 0 without one.
func (t *Tree) findMember(parent int32, name string) int32 {
	p := &t.nodes[parent]
	switch {
	case p.kind != Map:
		return 0
	case p.count >= indexedFrom:
		return t.index[memberName{p.child, name}]
	}
	i := p.child
	for i != 0 && !t.hasKey(i, name) {
		i = t.nodes[i].next
	}
	return i
}

// hasKey reports whether a member has a key. It decodes only keys with escapes.
func (t *Tree) hasKey(i int32, name string) bool {
	n := &t.nodes[i]
	size := int(n.keyEnd - n.key)
	if n.margin != encodedKey {
		return size == len(name)+2*int(n.margin) && Value{t, i}.Key() == name
	}
	// The longest spelling of a byte has six ("\u0061"). Without this limit, repeated long keys would cost quadratic time.
	return size >= len(name) && size <= 6*len(name)+2 && Value{t, i}.Key() == name
}

// Root returns the value that the document is.
func (t *Tree) Root() Value {
	if t == nil || len(t.nodes) < 2 {
		return Value{}
	}
	return Value{t, 1} // 0 represents the missing node
}

// Value is a value of a tree. The zero Value is absent: its methods return nothing, so readers need no checks on the way.
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

// Exists reports whether the value is in the document, even if it is null.
func (v Value) Exists() bool { return v.i != 0 }

// Kind returns the type of the value.
func (v Value) Kind() Kind { return v.node().kind }

// Is reports whether the value is of a kind.
func (v Value) Is(k Kind) bool { return v.node().kind == k }

// IsEmpty reports whether the value is absent or null.
func (v Value) IsEmpty() bool { return v.node().kind <= Null }

// Get returns the value at a path of keys. If a map has a key twice, the last one counts.
func (v Value) Get(keys ...string) Value {
	for _, key := range keys {
		if v.i != 0 {
			v.i = v.tree.findMember(v.i, key)
		}
	}
	return v
}

// Children iterates over the members of a map or the elements of a list.
func (v Value) Children() func(yield func(Value) bool) {
	return func(yield func(Value) bool) {
		for c := (Value{v.tree, v.node().child}); c.Exists() && yield(c); c = c.next() {
		}
	}
}

// Elements iterates over the elements of a list; other values have none.
func (v Value) Elements() func(yield func(Value) bool) { return v.childrenOf(List) }

// Members iterates over the members of a map; other values have none.
func (v Value) Members() func(yield func(Value) bool) { return v.childrenOf(Map) }

func (v Value) childrenOf(k Kind) func(yield func(Value) bool) {
	if !v.Is(k) {
		return Value{}.Children()
	}
	return v.Children()
}

// First returns the first value at one of several keys that is not null.
func (v Value) First(keys ...string) Value {
	for _, key := range keys {
		if member := v.Get(key); !member.IsEmpty() {
			return member
		}
	}
	return Value{}
}

// next returns the next value of the same map or list.
func (v Value) next() Value { return Value{v.tree, v.node().next} }

// Len returns the number of members or elements.
func (v Value) Len() int {
	if n := v.node(); n.kind >= List {
		return int(n.count)
	}
	return 0
}

// Offset returns the offset of the value, 0 for an absent one.
func (v Value) Offset() int { return int(v.node().at) }

// OffsetOr returns the offset of the value, and other for an absent one.
func (v Value) OffsetOr(other int) int {
	if v.i == 0 {
		return other
	}
	return v.Offset()
}

// End returns the offset after the value.
func (v Value) End() int { return int(v.node().end) }

// KeyOffset returns the offset of the key of a member.
func (v Value) KeyOffset() int { return int(v.node().key) }

// Raw returns the bytes of the value.
func (v Value) Raw() string {
	if v.i == 0 {
		return ""
	}
	return v.tree.Text[v.node().at:v.node().end]
}

// Key returns the key of a member of a map, and "" for an element of a list.
func (v Value) Key() string {
	if v.i == 0 {
		return ""
	}
	n := v.node()
	if n.margin == encodedKey {
		return decodeScalar(v.tree.Text[n.key:n.keyEnd], 0)
	}
	return v.tree.Text[n.key+int32(n.margin) : n.keyEnd-int32(n.margin)]
}

// Text returns the decoded text of a string, and "" for any other kind.
func (v Value) Text() string {
	if !v.Is(String) {
		return ""
	}
	return decodeScalar(v.Raw(), int(v.node().count))
}

// Scalar returns the text of a string, the spelling of a number or truth value, and "" for any other kind.
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

// FirstText returns the first text that is not empty.
func FirstText(values ...Value) string {
	for _, v := range values {
		if text := v.Text(); text != "" {
			return text
		}
	}
	return ""
}
