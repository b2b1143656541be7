// What the campaign screen is told, as the API document names it.
import type { components } from '../../api/generated/map-rank-tracker';

type Schemas = components['schemas'];

export type Business = Schemas['Business'];
export type Campaign = Schemas['Campaign'];
export type CampaignView = Schemas['CampaignView'];
export type Collecting = Schemas['CollectionProgress'];
export type KeywordFigures = Schemas['KeywordFigures'];
export type PointResults = Schemas['PointResults'];
export type Ranked = Schemas['RankedBusiness'];
export type Report = Schemas['ReportFigures'];
export type ViewPoint = Schemas['ViewPoint'];
