package core

import (
	"strings"
	"testing"
)

// TestScope checks which directories belong to the current milestone in unusual roadmaps.
func TestScope(t *testing.T) {
	const v11 = "---\nmilestone: v1.1\n---\n"
	for name, c := range map[string]struct{ state, roadmap, in, out string }{
		"no roadmap":                        {v11, "", "1-a 99-z notes", "0-x 00.1-x 999-x 999.1-x"},
		"quotation marks are found nowhere": {"---\nmilestone: \"v1.1\"\n---\n", "## v1.0\n### Phase 1: A\n## v1.1\n### Phase 2: B\n", "1-a 2-b", "3-c"},
		"the version in the body":           {"milestone: v1.1\n", "## v1.0\n### Phase 1: A\n## v1.1\n### Phase 2: B\n", "2-b", "1-a"},
		"the version on the next line":      {"milestone:\n\n v1.1 \n", "## v1.0\n### Phase 1: A\n## v1.1\n### Phase 2: B\n", "2-b", "1-a"},
		"in progress by the roadmap":        {"", "- 🚧 **v1.1 New**\n\n## v1.0\n### Phase 1: A\n## v1.1\n### Phase 2: B\n", "2-b", "1-a"},
		"no version, but what is folded":    {"", "<details>\n### Phase 1: A\n</details>\n<details open>\n### Phase 2: B\n</details>\n", "2-b", "1-a"},
		"a part of a word is none":          {v11, "## v1.10\n### Phase 1: A\n## v1.1-alpha\n### Phase 2: B\n", "2-b", "1-a"},
		"what is closed comes last":         {v11, "## v1.1 SHIPPED\n### Phase 1: A\n## v1.1.1 next\n### Phase 2: B\n", "2-b", "1-a"},
		"all are closed":                    {v11, "## v1.1 ✅\n### Phase 1: A\n## v1.1.1 closed\n### Phase 2: B\n", "1-a", "2-b"},
		"closed and started":                {v11, "## v1.1 shipped in part, in  progress\n### Phase 1: A\n## v1.1.1\n### Phase 2: B\n", "1-a", "2-b"},
		"a plain heading ends nothing":      {v11, "## v1.1\n## Phases\n### Phase 1: A\n## Backlog\n### Phase 2: B\n## 📋 Later\n### Phase 3: C\n", "1-a 2-b", "3-c"},
		"a deeper heading ends nothing":     {v11, "## v1.1\n### v1.0 notes\n### Phase 1: A\n# v1.2\n### Phase 2: B\n", "1-a", "2-b"},
		"a fenced heading ends nothing":     {v11, "## v1.1\n```\n## v1.2\n```\n### Phase 1: A\n", "1-a", "2-b"},
		"a heading of a phase ends nothing": {v11, "## v1.1\n## Phase 1: move to v2.0\n## Phase 2: B\n", "1-a 2-b", "3-c"},
		"lists of the preamble stay":        {v11, "- [ ] **Phase 1: A**\n### Phase 2: B\ntext\n- [ ] **Phase 4: D**\n## v1.1\n### Phase 3: C\n", "1-a 3-c", "2-b 4-d"},
		"without phases of its own":         {v11, "### Phase 2: B\n## v1.1 progress\ntext\n", "2-b", "3-c"},
		"the details further down":          {v11, "## v1.1 New\n- **Phase 1: A**\n## v1.2\n### Phase 2: B\n## v1.1 (Phase Details)\n### Phase 3: C\n", "1-a 3-c", "2-b"},
		"a folded milestone":                {v11, "- **Phase 9: Z**\n<details><summary>v1.0</summary>\n### Phase 1: A\n</details>\n<details>\n<summary>v1.1</summary>\n### Phase 2: B\n</details>\n", "2-b 9-z", "1-a"},
		"the colon is needed":               {v11, "## v1.1\n### Phase 1 A\n### Phase 2: B\n", "2-b", "1-a"},
		"a tag is not":                      {v11, "## v1.1\n### [x] Phase 1: A\n#### Phase 2 (INSERTED): B\n##### Phase 3: C\n", "1-a 2-b", "3-c"},
		"bold is needed in lists":           {v11, "## v1.1\n- [x] Phase 1: A\n* **Phase 2 — B**\n- [X] **phase 3-C**\n- **Phase 4:**\n", "2-b 3-c", "1-a 4-d"},
		"nothing named":                     {v11, "## v1.1\n- [x] Phase 1: A\n", "1-a 2-b phase-1-a", "0-x 999.1-x phase-0-c phase-999.1-x"},
		"the icebox":                        {v11, "## v1.1\n### Phase 999.1: X\n### Phase 1: A\n", "1-a", "2-b 999.1-x"},
		"letters and decimals":              {v11, "## v1.1\n### Phase 12A: A\n### Phase 4.5: B\n", "12a-x 012A-x 04.5-b", "12-x 4-b 4.5.1-b"},
		"numbers in a slug":                 {v11, "## v1.1\n### Phase 14: A\n", "14-2026-photos 14-02-x", "15-x"},
		"numbers of two parts":              {v11, "## v1.1\n### Phase 2-01: A\n### Phase 14: B\n", "02-01-a 14-2026-photos 14-6-x", "02-a 14-02-x"},
		"of two parts, and digits alone":    {v11, "## v1.1\n### Phase CK-3: A\n### Phase 12: B\n", "12 012", "7 13"},
		"project codes":                     {v11, "## v1.1\n### Phase 3: A\n### Phase CK-04: B\n", "CK-03-a CK-04-b ck-03-a phase-03-a App_2-03-a", "CK-05-c phase-05-c ck-x-03 v1.1-03"},
		"words":                             {v11, "## v1.1\n### Phase A: X\n### Phase P0.1: Y\n", "A-tool a P0.1-y", "AB-tool P0-y 1-a"},
		"CRLF":                              {"---\r\nmilestone: v1.1\r\n---\r\n", "## v1.0\r\n### Phase 1: A\r\n## v1.1\r\n- [ ] **Phase 2: B**\r\n", "2-b", "1-a"},
	} {
		s := NewScope(DeclaredVersion(c.state), c.roadmap)
		for _, dir := range strings.Fields(c.in) {
			if !s.HoldsDir(dir) {
				t.Errorf("%s: %s does not belong", name, dir)
			}
		}
		for _, dir := range strings.Fields(c.out) {
			if s.HoldsDir(dir) {
				t.Errorf("%s: %s belongs", name, dir)
			}
		}
	}
}
