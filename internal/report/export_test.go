package report

// SendDue mails the report that is due longest, as the background work does.
var SendDue = (*Service).sendDue
