-- The positions of readers are in event_looks and event_places. No release has read event_cursors.
drop function statistics_cursor();
drop table event_cursors;
