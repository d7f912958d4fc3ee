// Protocols whose files are recognised and not read yet: the user is told so,
// instead of being shown an empty screen.

package parse

import (
	"gatehouse/model"
	"gatehouse/parse/mirror"
)

// recognise lists the protocols whose files are here and not shown yet.
func recognise(m *mirror.Mirror) []model.Recognised {
	var found []model.Recognised
	if m.IsDir(".ultraplan") {
		found = append(found, model.Recognised{Protocol: "ultraplan", File: ".ultraplan"})
	}
	return found
}
