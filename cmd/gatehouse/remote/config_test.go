package remote

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
)

// TestChange checks that concurrent changes of the file are all kept, and that a failed one changes nothing.
func TestChange(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			_, err := ChangeConfig(t.Context(), dir, func(f *Config) error {
				return f.Add(fmt.Sprint("fleet-", i)).AddMachine(Machine{Target: "build-8"})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	f, err := LoadConfig(dir)
	if err != nil || len(f.Names()) != 8 {
		t.Fatal(f.Names(), err)
	}
	no := errors.New("no")
	if _, err := ChangeConfig(t.Context(), dir, func(f *Config) error { f.Remove("fleet-1"); return no }); !errors.Is(err, no) {
		t.Error(err)
	}
	if _, err := ChangeConfig(t.Context(), dir, func(f *Config) error { f.Add("fleet-2").RemoveMachine("build-9"); return nil }); err != nil {
		t.Error("nothing is changed:", err)
	}
	if f, err = LoadConfig(dir); err != nil || len(f.Names()) != 8 {
		t.Error(f.Names(), err)
	}
	if err := os.WriteFile(f.File(), []byte(`{"fleets": {"a": {"hob": 1}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ChangeConfig(t.Context(), dir, func(f *Config) error { return nil }); err == nil {
		t.Error("what is not understood is written over")
	}
}
