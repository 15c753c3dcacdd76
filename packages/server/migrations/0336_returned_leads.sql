-- Lists the campaigns with leads that wait for a decision about a returned message without a scan of all open leads.
create index lead_progress_returned on lead_progress (account_id, environment, campaign_id) where blocked_reason = 'returned';
