// Command peers serves PocketBase with a collection of locations that has the fields of ours, so that bench
// can ask both the same. As ours, it syncs every commit to disk, every request carries a credential, and a
// user sees only what is theirs.
//
//	peers FOLDER HOST:PORT
//
// It prints the id and the token of the user, then serves until it is interrupted.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

func main() {
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func serve(folder, address string) error {
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: folder, DBConnect: connect})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	user, token, err := prepare(app)
	if err != nil {
		return err
	}
	fmt.Println(user, token)
	return apis.Serve(app, apis.ServeConfig{HttpAddr: address})
}

// connect is core.DefaultDBConnect but for synchronous(FULL), where PocketBase's own NORMAL may lose the last
// commits when the power fails.
func connect(path string) (*dbx.DB, error) {
	return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)"+
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
}

// prepare makes the collection and a user.
func prepare(app core.App) (userID, token string, err error) {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return "", "", err
	}
	user := core.NewRecord(users)
	user.SetEmail("bench@trigpoint.example")
	user.SetRandomPassword()
	if err := app.Save(user); err != nil {
		return "", "", err
	}
	locations := core.NewBaseCollection("locations")
	own := `owner = @request.auth.id`
	locations.ListRule, locations.ViewRule, locations.CreateRule = &own, &own, &own
	locations.Fields.Add(&core.RelationField{Name: "owner", CollectionId: users.Id, Required: true, MaxSelect: 1})
	for _, name := range []string{
		"location_status", "business_name", "phone_number", "country", "region", "city", "zip", "address_line_1", "address_line_2", "website_url",
		"description", "featured_message", "featured_message_url", "youtube_video", "instagram_username", "twitter_username", "reopen_date",
	} {
		locations.Fields.Add(&core.TextField{Name: name})
	}
	for _, name := range []string{"frozen", "suppress_address"} {
		locations.Fields.Add(&core.BoolField{Name: name})
	}
	for _, name := range []string{
		"errors", "category_ids", "coordinates", "business_hours", "special_hours", "more_hours", "service_area_places", "payment_options",
	} {
		locations.Fields.Add(&core.JSONField{Name: name})
	}
	locations.Fields.Add(&core.AutodateField{Name: "submit_date", OnCreate: true})
	locations.AddIndex("by_owner", false, "owner, submit_date, id", "")
	if err := app.Save(locations); err != nil {
		return "", "", err
	}
	token, err = user.NewAuthToken()
	return user.Id, token, err
}
