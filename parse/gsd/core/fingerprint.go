package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// checkFingerprint says why the fingerprint of a verification does not hold, "" if it does. It is GSD's own measure: the verification
// lists the files that it has looked at, all plans and summaries of the phase among them, and one digest of their contents.
func (p *Project) checkFingerprint(phase *Phase, v *VerificationFile) string {
	if len(v.CoveredFiles) == 0 || v.CoveredDigest == "" {
		return "has only a part of its fingerprint"
	}
	isCovered := func(file string) bool {
		return slices.ContainsFunc(v.CoveredFiles, func(covered string) bool {
			return covered == joinPath(phase.Dir, file) || covered == file || doc.HasSuffix(covered, "/"+file)
		})
	}
	for _, e := range phase.Files {
		if !e.IsDir && (IsPlan(e.Name) || IsSummary(e.Name)) && !isCovered(e.Name) {
			return "does not cover " + e.Name
		}
	}
	for _, s := range phase.Plans {
		for _, file := range [...]string{s.File.Name, s.File.Summary} {
			if doc.HasPrefix(file, "plans/") && !isCovered(file) {
				return "does not cover " + file
			}
		}
	}
	digest := p.digestFiles(v.CoveredFiles)
	switch {
	case digest == "":
		return "covers a file that can't be read"
	case digest != v.CoveredDigest:
		return "does not match the files that it covers"
	}
	return ""
}

// digestFiles returns GSD's digest of files, "" if one of them is unreadable or outside of the project.
func (p *Project) digestFiles(files []string) string {
	var paths []string
	for _, file := range files {
		path := cleanPath(file)
		if path == "" {
			return ""
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	text := "v1\n"
	for _, path := range slices.Compact(paths) {
		hex, ok := p.source.Hash(path)
		if !ok {
			return ""
		}
		text += path + "\n" + hex + "\n"
	}
	return "v1:sha256:" + SHA256(text)
}

// cleanPath returns a relative path without "." and "..", "" for one that leads out of the project.
func cleanPath(path string) string {
	path = replaceByte(path, '\\', '/')
	if path == "" || path[0] == '/' {
		return ""
	}
	clean := ""
	for more := true; more; {
		var part string
		switch part, path, more = doc.Cut(path, "/"); {
		case part == "" || part == ".":
		case part != "..":
			clean += "/" + part
		case clean == "":
			return ""
		default:
			clean = clean[:doc.LastIndex(clean, "/")]
		}
	}
	return clean[min(1, len(clean)):]
}
