// Every screen of the dashboard. A screen is loaded when it is first opened, and takes the names of its
// pattern as properties.
import type { Screen } from './router.svelte';

export const screens: Screen[] = [
  { pattern: '/', title: 'Overview', section: 'overview', load: () => import('../overview/Overview.svelte') },

  { pattern: '/maps', title: 'Map ranks', section: 'maps', load: () => import('../maps/Campaigns.svelte') },
  { pattern: '/maps/new', title: 'New campaign', section: 'maps', load: () => import('../maps/wizard/NewCampaign.svelte') },
  { pattern: '/maps/:id', title: 'Map ranks', section: 'maps', load: () => import('../maps/Campaign.svelte') },
  { pattern: '/maps/:id/settings', title: 'Campaign settings', section: 'maps', load: () => import('../maps/wizard/CampaignSettings.svelte') },

  { pattern: '/keywords', title: 'Keywords', section: 'keywords', load: () => import('../keywords/Trackings.svelte') },
  { pattern: '/keywords/new', title: 'New tracking', section: 'keywords', load: () => import('../keywords/NewTracking.svelte') },
  { pattern: '/keywords/:id', title: 'Keywords', section: 'keywords', load: () => import('../keywords/Tracking.svelte') },
  { pattern: '/keywords/:id/:keywordId', title: 'Keyword', section: 'keywords', load: () => import('../keywords/TrackedKeyword.svelte') },

  { pattern: '/research', title: 'Research', section: 'research', load: () => import('../research/Research.svelte') },
  { pattern: '/research/gap', title: 'Gap analysis', section: 'research', load: () => import('../research/GapAnalysis.svelte') },
  { pattern: '/research/serp', title: 'Result page', section: 'research', load: () => import('../research/ResultPage.svelte') },

  { pattern: '/locations', title: 'Locations', section: 'locations', load: () => import('../locations/Locations.svelte') },
  { pattern: '/locations/new', title: 'New location', section: 'locations', load: () => import('../locations/LocationEditor.svelte') },
  { pattern: '/locations/:id', title: 'Location', section: 'locations', load: () => import('../locations/LocationEditor.svelte') },

  { pattern: '/settings', title: 'Settings', section: 'settings', load: () => import('../settings/Account.svelte') },
  { pattern: '/settings/tokens', title: 'API tokens', section: 'settings', load: () => import('../settings/Tokens.svelte') },
  { pattern: '/settings/usage', title: 'Plan and usage', section: 'settings', load: () => import('../settings/Usage.svelte') },
  { pattern: '/settings/providers', title: 'Providers and costs', section: 'settings', load: () => import('../settings/Providers.svelte') },
  { pattern: '/settings/connections', title: 'Connections', section: 'settings', load: () => import('../settings/Connections.svelte') },
  { pattern: '/settings/alerts', title: 'Alerts', section: 'settings', load: () => import('../settings/Alerts.svelte') },
  { pattern: '/settings/reports', title: 'Reports by mail', section: 'settings', load: () => import('../settings/Reports.svelte') },
  { pattern: '/settings/webhooks', title: 'Webhooks', section: 'settings', load: () => import('../settings/Webhooks.svelte') },
  { pattern: '/settings/sharing', title: 'Sharing', section: 'settings', load: () => import('../settings/Sharing.svelte') },
  { pattern: '/settings/brand', title: 'White label', section: 'settings', load: () => import('../settings/BrandSettings.svelte') },

  { pattern: '/signin', title: 'Sign in', open: true, bare: true, load: () => import('../signin/SignIn.svelte') },
  { pattern: '/setup', title: 'Set up', open: true, bare: true, load: () => import('../signin/SetUp.svelte') },
  { pattern: '/signup', title: 'Sign up', open: true, bare: true, load: () => import('../signin/SignUp.svelte') },
  { pattern: '/forgot', title: 'Reset your password', open: true, bare: true, load: () => import('../signin/Forgot.svelte') },
  { pattern: '/reset', title: 'Choose a new password', open: true, bare: true, load: () => import('../signin/Reset.svelte') },

  { pattern: '/shared/campaign/:id', title: 'Map ranks', open: true, bare: true, load: () => import('../shared/SharedCampaign.svelte') },
  { pattern: '/shared/tracking/:id', title: 'Keywords', open: true, bare: true, load: () => import('../shared/SharedTracking.svelte') },
];
