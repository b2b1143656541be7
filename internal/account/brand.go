package account

// Brand is how an account shows itself to those whom it shows its records to.
type Brand struct {
	Name    string `json:"name" doc:"Of the business or agency."`
	Colour  string `json:"colour" doc:"As #rrggbb."`
	LogoURL string `json:"logo_url" doc:"Where its logo is served; empty without one."`
}
