package gsd

import "strings"

const roadmapText = "# Roadmap: Harbour\n" + `
## Milestones

- ✅ **v1.0 Pier** — Phases 1-2 (shipped 2026-01-10)
- 🚧 **v1.1 Cranes & Locks** — Phases 3-5 (in progress)
- 📋 **v2.0** — Phases 6+ (planned)

## Phases

<details>
<summary>✅ v1.0 Pier (Phases 1-2) — SHIPPED 2026-01-10</summary>

- [x] Phase 1: Piles (2/2 plans) — completed 2026-01-03
- [x] Phase 2: Planks (1/1 plan) — completed 2026-01-10

</details>

### 🚧 v1.1 Cranes & Locks

- [x] **Phase 3: Crane arms** - lift things
- [X] **Phase 3.1: Crane brakes (INSERTED)** - hold them
- [ ] ~~**Phase 4: Paint**~~ - not any more
- [ ] **Phase 5: Lock gates** — keep water out
- [ ] **Phase 999.1: A tram** - some day

` + "```\n### Phase 77: in a fence\n```\n" + `
## Phase Details

### Phase 3: Crane arms
**Goal**: Things are lifted
**Depends on:** Phase 2

Plans:
- [x] 03-01: The boom
- [ ] 03-02-PLAN.md — The hook

### Phase 5: Lock gates
**Goal:** Water stays out

## Progress

| Phase | Milestone | Plans Complete | Status | Completed |
|-------|-----------|----------------|--------|-----------|
| 3. Crane arms | v1.1 | 1/2 | In progress | - |
| 5. Lock gates | v1.1 | 0/? | Not started | - |
| 6. Ferry | v2.0 | 0/? | Deferred | - |

Phase 5 was hard, says nobody.
`

// lineOf returns the number of the first line with a text in it.
func lineOf(text, part string) int {
	before, _, _ := strings.Cut(text, part)
	return 1 + strings.Count(before, "\n")
}
