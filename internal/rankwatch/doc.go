// Package rankwatch owns keyword rank tracking: trackings, tracked keywords, their daily checks and
// history, tags, annotations, and the statistics over them. It does not search (provider), research
// keywords (research), or decide what belongs to a domain (webtarget).
package rankwatch
