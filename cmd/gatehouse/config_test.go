package main

import (
	"os"
	"testing"

	"gatehouse/cmd/gatehouse/config"
)

// TestConfigSchema: the schema in the documentation is that of the code.
func TestConfigSchema(t *testing.T) {
	const file = "../../docs/config.schema.json"
	want := config.Schema(settingTable())
	if isUpdating() {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is not what gatehouse config schema prints; go test -run TestConfigSchema -update writes it", file)
	}
}
