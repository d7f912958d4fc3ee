// The run of a fctry project, read in the shapes that are found in the field.

package rules

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

const (
	// chunkLimit is how many chunks of a run are read. Real runs have below a hundred.
	chunkLimit = 10_000
	// needsLimit is how many chunks one chunk may depend on.
	needsLimit = 256
)

// The values of a run that are looked for, in the order of runPaths.
const (
	runStatus = iota
	runQuestion
	runPausedReason
	runStatusReason
	runChunks
	runPlan
	runPlanChunks
	runPlanTotal
	runProgress
	runCount
)

var runPaths = [runCount][]string{
	runStatus: {"status"}, runQuestion: {"pendingQuestion"}, runPausedReason: {"pausedReason"}, runStatusReason: {"statusReason"},
	runChunks: {"chunks"}, runPlan: {"plan"}, runPlanChunks: {"plan", "chunks"}, runPlanTotal: {"plan", "totalChunks"}, runProgress: {"chunkProgress"},
}

// Questions are what a state asks beside its run, values of state.json as scan.JSONFields returns them.
type Questions struct {
	Pending    string // pendingQuestion, which some write beside the run
	Experience string // experienceQuestion, which counts where there is a run
}

// ReadRun returns the run that a buildRun describes, a value of state.json as scan.JSONFields returns it, and the array
// of its chunks, "" without one: they stand in the run itself or in its plan. There is no run where the values say nothing.
func ReadRun(buildRun string, beside Questions) (run Run, chunks string) {
	run, chunks, _ = readRun(buildRun, beside)
	return run, chunks
}

func readRun(buildRun string, beside Questions) (run Run, chunks, progress string) {
	var fields [runCount]scan.JSONField
	for i := range runPaths {
		fields[i].Path = runPaths[i]
	}
	scan.JSONFields(buildRun, fields[:])
	run.Status = Scalar(fields[runStatus].Value)
	if run.Reason = Scalar(fields[runPausedReason].Value); run.Reason == "" {
		run.Reason = Scalar(fields[runStatusReason].Value)
	}
	run.Total, _, _ = chunkTotal(fields[runPlanTotal].Value)
	for _, at := range [...]int{runChunks, runPlanChunks} {
		if run.Chunks = ReadChunks(fields[at].Value); len(run.Chunks) > 0 {
			chunks = fields[at].Value
			break
		}
	}
	switch plan := fields[runPlan].Value; {
	case Truthy(buildRun) && buildRun[0] != '{':
		run.Unread = "buildRun"
	case len(run.Chunks) > 0:
	case unreadList(fields[runChunks].Value):
		run.Unread = "buildRun.chunks"
	case Truthy(plan) && plan[0] != '{':
		run.Unread = "buildRun.plan"
	case unreadList(fields[runPlanChunks].Value):
		run.Unread = "buildRun.plan.chunks"
	}
	questions := [...]string{fields[runQuestion].Value, beside.Pending, beside.Experience}
	if run.Status == "" && len(run.Chunks) == 0 {
		questions[2] = ""
	}
	if i := Asking(questions[:]...); i >= 0 {
		run.asked = questions[i]
		run.Question = Question(run.asked)
		run.hold()
	}
	return run, chunks, fields[runProgress].Value
}

// hold marks the chunks that the question holds up, which it calls by their IDs or names.
func (r *Run) hold() {
	for _, name := range holdsOf(nil, r.asked, questionDepth) {
		for i := range r.Chunks {
			if c := &r.Chunks[i]; c.ID == name || c.Name == name {
				c.Asked = true
				break
			}
		}
	}
}

// ReadChunks returns the chunks of an array, at most chunkLimit. What is no object in it is passed over.
func ReadChunks(array string) (chunks []Chunk) {
	for a := (scan.JSONArray{Rest: array}); len(chunks) < chunkLimit; {
		element, ok := a.Next()
		if !ok {
			break
		}
		if element[0] == '{' {
			chunks = append(chunks, readChunk(element, len(chunks)+1))
		}
	}
	return chunks
}

// The values of a chunk that are looked for, in the order of chunkPaths. Those with several names stand by their order.
const (
	chunkID = iota
	chunkStep
	chunkName
	chunkFeature
	chunkStatus
	chunkAttempt
	chunkRetries
	chunkSpec
	chunkNeeds // and the two after it
	chunkCount = chunkNeeds + 3
)

var chunkPaths = [chunkCount][]string{
	{"id"}, {"step"}, {"name"}, {"featureName"}, {"status"}, {"attempt"}, {"retryCount"}, {"specVersionAtBuild"}, {"dependsOn"}, {"deps"}, {"blockedBy"},
}

// readChunk reads the chunk at a place, counted from 1, which is its ID where it has none.
func readChunk(object string, place int) (c Chunk) {
	var fields [chunkCount]scan.JSONField
	for i := range chunkPaths {
		fields[i].Path = chunkPaths[i]
	}
	scan.JSONFields(object, fields[:])
	text := func(i int) string { return Scalar(fields[i].Value) }
	for _, at := range [...]int{chunkID, chunkStep} {
		if c.ID == "" {
			c.ID = chunkRef(fields[at].Value)
		}
	}
	if c.ID == "" {
		c.ID = line.Decimal(place)
	}
	if c.Name = text(chunkName); c.Name == "" {
		c.Name = text(chunkFeature)
	}
	c.Status, c.SpecVersion = text(chunkStatus), text(chunkSpec)
	if n, ok := scan.JSONCount(fields[chunkAttempt].Value); ok {
		c.Attempt = n
	} else if n, ok := scan.JSONCount(fields[chunkRetries].Value); ok {
		c.Attempt = n + 1
	}
	for _, field := range fields[chunkNeeds:] {
		c.Needs = appendNeeds(c.Needs, field.Value)
	}
	return c
}

// appendNeeds appends the IDs that a value names, an array or a single one, and each once. What is there and is no ID stands for
// itself: no chunk has such an ID, so that the chunk can't begin.
func appendNeeds(list []string, value string) []string {
	if value == "" || value[0] != '[' {
		if chunkRef(value) == "" && says(value, questionDepth) {
			return append(list, value)
		}
		return appendNeed(list, value)
	}
	for a := (scan.JSONArray{Rest: value}); len(list) < needsLimit; {
		element, ok := a.Next()
		if !ok {
			break
		}
		if chunkRef(element) == "" {
			list = append(list, "["+element+"]")
		}
		list = appendNeed(list, element)
	}
	return list
}

func appendNeed(list []string, value string) []string {
	if id := chunkRef(value); id != "" && !slices.Contains(list, id) {
		return append(list, id)
	}
	return list
}

// chunkRef returns the ID of a chunk as text: 1 and "1" are the same. It is "" for what is neither text nor number.
func chunkRef(value string) string {
	if value != "" && (value[0] == '-' || value[0] >= '0' && value[0] <= '9') {
		return Number(value)
	}
	if value == "true" {
		return ""
	}
	return Scalar(value)
}

// runOf reads what is known of a build: from buildRun, else from chunkProgress beside it.
func (d *State) runOf(buildRun, progress string, beside Questions) {
	run, listed, own := readRun(buildRun, beside)
	d.chunks = listed
	f := &d.Facts
	if run.Unread != "" {
		f.Run = line.FctryRun{There: true, Unread: run.Unread}
		if run.Waits() {
			f.Run.Waiting, f.Run.Status, f.Run.Reason = true, run.Status, run.reason()
		}
		return
	}
	if len(run.Chunks) > 0 {
		f.Run = runLine(&run)
		return
	}
	list, _ := scan.JSONValue(progress, "chunks")
	if run.ReadBeside(progress, list) {
		d.chunks = list
		f.Run = runLine(&run)
		return
	}
	if run.Status != "" || run.Question != "" {
		f.Run = runLine(&run)
	}
	if p, ok := ReadProgress(progress); ok {
		countRun(&f.Run, p)
	} else if p, ok := ReadProgress(own); ok {
		countRun(&f.Run, p)
	}
}

// unreadList reports whether a value that holds no chunk is there all the same, as a list of something else, or as no list.
func unreadList(value string) bool {
	a := scan.JSONArray{Rest: value}
	_, some := a.Next()
	return some || Truthy(value) && value[0] != '['
}

// reason returns what the run waits for, as far as the file says.
func (r *Run) reason() string {
	if r.Question != "" {
		return r.Question
	}
	return r.Reason
}

// ReadBeside gives a run that lists no chunks those of a list in chunkProgress, and reports whether there are any.
func (r *Run) ReadBeside(progress, list string) bool {
	chunks := ReadChunks(list)
	if len(chunks) == 0 {
		return false
	}
	total, _ := scan.JSONValue(progress, "total")
	r.Chunks, r.Beside = chunks, true
	r.Total, _, _ = chunkTotal(total)
	r.hold()
	return true
}

// runLine returns what the line says about a run.
func runLine(run *Run) line.FctryRun {
	s := run.Standing()
	r := line.FctryRun{
		There: true, Status: run.Status, Done: s.Done, Total: s.Total, Failed: s.Failed, Open: s.Open, Busy: s.Busy, Stated: s.Stated,
		Waiting: run.Waits(), Reason: run.reason(), Running: s.Running >= 0, Ready: s.Next >= 0, BlockedOn: s.BlockedOn,
		Odd: run.Odd(),
	}
	if s.Retrying >= 0 {
		r.Retry = run.Chunks[s.Retrying].Attempt
	}
	at := s.Next
	switch {
	case r.Waiting:
		at = s.Waiting
	case r.Running:
		at = s.Running
	}
	if at >= 0 {
		c := &run.Chunks[at]
		r.Chunk, r.Place, r.Attempt = c.Name, at+1, c.Attempt
		if r.Chunk == "" {
			r.Chunk = "Chunk " + c.ID
		}
	}
	return r
}

// Progress is a count of chunks without the chunks.
type Progress struct {
	Done       int
	Total      int  // rounded up: part of a chunk is one
	Current    int  // the chunk that is worked on, from 1; 0: none is named
	HasCurrent bool // Current is there, 0 for a chunk that is still to be begun: the run is said to go on
	Failed     int
	// Current and Total as the file has them where they are fractions, such as "2.5".
	CurrentText, TotalText string
}

// At says which chunk is worked on, "3 of 7".
func (p *Progress) At() string {
	at := p.CurrentText
	if at == "" {
		at = line.Decimal(p.Current)
	}
	return at + " of " + p.Of()
}

// Of returns how many chunks there are, as the file has it.
func (p *Progress) Of() string {
	if p.TotalText != "" {
		return p.TotalText
	}
	return line.Decimal(p.Total)
}

// chunkTotal returns how many chunks a value says there are, rounded up: part of one is one; and as [chunksSaid] the fraction.
func chunkTotal(value string) (n int, fraction string, ok bool) {
	if n, fraction, ok = chunksSaid(value); fraction != "" {
		n++
	}
	return n, fraction, ok
}

// chunksSaid returns the number of chunks that a value says, rounded down; and the number as the file has it where that is a fraction.
func chunksSaid(value string) (n int, fraction string, ok bool) {
	amount, ok := scan.JSONAmount(value)
	if n = int(amount); float64(n) < amount {
		fraction = Scalar(value)
	}
	return n, fraction, ok
}

// ReadProgress reads a chunkProgress, in one of the four shapes that are found: the chunk worked on and their number,
// the number of those completed and of all, both as one text, "7/7", or a list of chunks that is empty, and their number. ok is
// false where there is no total.
func ReadProgress(value string) (p Progress, ok bool) {
	fields := [5]scan.JSONField{{Path: []string{"current"}}, {Path: []string{"completed"}}, {Path: []string{"total"}}, {Path: []string{"failed"}}, {Path: []string{"chunks"}}}
	if text, isText := scan.JSONText(value); isText {
		done, end := scan.Digits(text, 0)
		total, last := "", 0
		if end < len(text) && text[end] == '/' {
			total, last = scan.Digits(text, end+1)
		}
		if done == "" || last != len(text) {
			return p, false
		}
		fields[1].Value, fields[2].Value = done, total
	} else {
		scan.JSONFields(value, fields[:])
	}
	if p.Total, p.TotalText, ok = chunkTotal(fields[2].Value); !ok || p.Total == 0 {
		return p, false
	}
	p.Failed, _ = scan.JSONCount(fields[3].Value)
	if done, ok := scan.JSONCount(fields[1].Value); ok {
		p.Done = min(done, p.Total)
		return p, true
	}
	if list := fields[4].Value; list != "" && list[0] == '[' {
		return p, true // the list counts: none of them is done
	}
	current, fraction, known := chunksSaid(fields[0].Value)
	p.HasCurrent = known
	p.Current = min(current, p.Total)
	p.Done = max(0, p.Current-1)
	if current < p.Total {
		p.CurrentText = fraction
	}
	return p, known
}

// countRun gives a run the counts of chunks that nobody lists.
func countRun(r *line.FctryRun, p Progress) {
	r.There, r.Stated = true, true
	r.TotalText, r.HasCurrent = p.TotalText, p.HasCurrent
	r.Done, r.Total, r.Failed, r.Open = p.Done, p.Total, p.Failed, max(0, p.Total-p.Done-p.Failed)
	switch {
	case p.Current > 0:
		r.Running, r.Busy, r.Place, r.PlaceText = true, 1, p.Current, p.CurrentText
	case r.Open > 0:
		r.Ready, r.Place = true, min(p.Done+p.Failed+1, p.Total)
	}
}
