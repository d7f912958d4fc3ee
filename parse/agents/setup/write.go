package setup

// Writing what was planned.

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"gatehouse/parse/disk/statefile"
)

// errMeanwhile says that the settings are no longer those that were planned for.
var errMeanwhile = errors.New("the file has changed meanwhile; run it again")

// Write does what was planned, unless the file has changed since.
func (p *Plan) Write(ctx context.Context) error {
	store := statefile.NewStore(nil)
	switch {
	case p.Nothing():
		return nil
	case p.Removed:
		if now, err := store.Read(target(p.File)); err != nil || now != p.was {
			return errors.Join(err, errMeanwhile)
		}
		return os.Remove(p.File)
	case p.Made:
		if err := os.MkdirAll(filepath.Dir(p.File), 0o755); err != nil {
			return err
		}
		_, err := store.Create(ctx, target(p.File), p.is)
		return err
	}
	_, err := store.Replace(ctx, target(p.File), func(now string) (string, error) {
		if now != p.was {
			return "", errMeanwhile
		}
		return p.is, nil
	})
	return err
}
