package businessprofile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// setPictures gives Google the location's images and takes away those that are gone. Each is remembered before Google is
// asked to take it, so that none is there twice.
func (p *publisher) setPictures(ctx context.Context) error {
	wanted := p.takable()
	if err := p.removePictures(ctx, wanted); err != nil {
		return err
	}
	if err := p.resolvePictures(ctx); err != nil {
		return err
	}
	for _, img := range wanted {
		if slices.ContainsFunc(p.record.media, func(taken picture) bool { return taken.URL == img.URL }) {
			continue
		}
		if err := p.addPicture(ctx, img); err != nil {
			return err
		}
	}
	return nil
}

// takable are the images that Google takes, each once.
func (p *publisher) takable() []image {
	var all []image
	small := 0
	for _, img := range p.message.Images {
		switch {
		case slices.ContainsFunc(all, func(other image) bool { return other.URL == img.URL }):
		case img.Bytes > 0 && img.Bytes < minPhotoBytes:
			small++
		default:
			all = append(all, img)
		}
	}
	if small > 0 {
		p.notes = append(p.notes, fmt.Sprintf("Google takes photos of at least 250x250 pixels and %d bytes; images not sent: %d.", minPhotoBytes, small))
	}
	return all
}

func (p *publisher) removePictures(ctx context.Context, wanted []image) error {
	for _, taken := range slices.Clone(p.record.media) {
		if taken.Name == "" || slices.ContainsFunc(wanted, func(img image) bool { return img.URL == taken.URL }) {
			continue
		}
		if err := p.edit(ctx); err != nil {
			return err
		}
		if err := p.api.removePicture(ctx, p.record.accountID, taken.Name); err != nil && provider.KindOf(err) != provider.NotFound {
			return err
		}
		p.dropPicture(taken.URL)
		if err := p.save(ctx, p.record); err != nil {
			return err
		}
	}
	return nil
}

// resolvePictures finds out what has become of pictures of which it is not known whether Google took them.
func (p *publisher) resolvePictures(ctx context.Context) error {
	if !slices.ContainsFunc(p.record.media, func(taken picture) bool { return taken.Name == "" }) {
		return nil
	}
	there, err := p.api.pictures(ctx, p.record.accountID, p.profilePath())
	if err != nil {
		return err
	}
	for i := range p.record.media {
		doubtful := &p.record.media[i]
		for _, item := range there {
			if doubtful.Name == "" && item.SourceURL == doubtful.URL {
				doubtful.Name = item.Name
			}
		}
	}
	p.record.media = slices.DeleteFunc(p.record.media, func(taken picture) bool { return taken.Name == "" })
	return p.save(ctx, p.record)
}

func (p *publisher) addPicture(ctx context.Context, img image) error {
	p.record.media = append(p.record.media, picture{URL: img.URL})
	if err := p.edit(ctx); err != nil { // which keeps the record
		p.dropPicture(img.URL)
		return err
	}
	name, err := p.api.addPicture(ctx, p.record.accountID, p.profilePath(), mediaItem{
		MediaFormat: "PHOTO", LocationAssociation: mediaAssociation{mediaCategories[img.Type]}, SourceURL: img.URL, Description: img.Description,
	})
	if refused, ok := refusedWords(err); ok {
		p.notes = append(p.notes, "An image was refused: "+refused)
		p.dropPicture(img.URL)
		return p.save(ctx, p.record)
	}
	if err != nil {
		return err
	}
	p.record.media[len(p.record.media)-1].Name = name
	return p.save(ctx, p.record)
}

func (p *publisher) dropPicture(url string) {
	p.record.media = slices.DeleteFunc(p.record.media, func(taken picture) bool { return taken.URL == url })
}

// profilePath names the profile below its account, as the older API of pictures wants it.
func (p *publisher) profilePath() string {
	return strings.Join([]string{p.record.googleAccount, p.record.name}, "/")
}
