package core

import (
	"slices"

	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// checkFingerprint says why the fingerprint of a verification does not hold, "" if it does. It is GSD's own measure: the verification
// lists the files that it has looked at, all plans and summaries of the phase among them, and one digest of their contents.
func (p *Project) checkFingerprint(phase *Phase, v *VerificationFile) string {
	if len(v.CoveredFiles) == 0 || v.CoveredDigest == "" {
		return "has only a part of its fingerprint"
	}
	var work []string
	for _, e := range phase.Files {
		if !e.IsDir && (IsPlan(e.Name) || IsSummary(e.Name)) {
			work = append(work, e.Name)
		}
	}
	for _, s := range phase.Plans {
		if doc.HasPrefix(s.File.Name, "plans/") {
			work = append(work, s.File.Name, s.File.Summary)
		}
	}
	for _, file := range work {
		if !slices.ContainsFunc(v.CoveredFiles, func(covered string) bool { return file == "" || doc.HasSuffix("/"+covered, "/"+file) }) {
			return "does not cover " + file
		}
	}
	files := slices.Clone(v.CoveredFiles)
	slices.Sort(files)
	text := "v1\n"
	for _, file := range slices.Compact(files) {
		content, isCut, err := peek.ReadFile(peek.Join(p.options.Root, file), p.options.Root, peek.Limit)
		if err != nil || isCut || !isLocal(file) {
			return "covers a file that can't be read"
		}
		text += file + "\n" + sha256Sum(content) + "\n"
	}
	if "v1:sha256:"+sha256Sum(text) != v.CoveredDigest {
		return "does not match the files that it covers"
	}
	return ""
}

// isLocal reports whether a path is relative and plainly below the project, without "." and "..".
func isLocal(path string) bool {
	return path != "" && path[0] != '/' && !containsAny("/"+path+"/", "/../", "/./", "//", "\\")
}
