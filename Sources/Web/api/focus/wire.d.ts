// The wire of Focus, until openapi.yaml has it.

import type { Name, ResourceID, TimeOfDay, Timestamp } from "../api.d.ts";

export interface FocusProfile {
  consent: "1";
  nickname: string | null;
  boards: boolean;
  leagues: boolean;
  feed: boolean;
  morning: boolean;
  goal_minutes: number | null;
  goal_from_tomorrow: number | null;
  joined_at: Timestamp;
  app_account_token: string;
}
export interface FocusProfileSettings {
  consent: string;
  nickname?: string | null;
  boards?: boolean | null;
  leagues?: boolean | null;
  feed?: boolean | null;
  morning?: boolean | null;
  goal_minutes?: number | null;
}
export interface FocusDevice {
  id: ResourceID;
  number: number;
  platform: "ios" | "android";
  setup: "not_started" | "in_progress" | "awaiting_verification" | "verified" | "failed";
  reason: "no_event_received" | "automation_not_created" | "unknown" | null;
  status: "pending" | "verified" | "broken";
  issue: "never_verified" | "no_recent_unlocks" | "app_open_without_recent_unlock" | null;
  issue_hours: number | null;
  verified_at: Timestamp | null;
  last_unlock_at: Timestamp | null;
  synced_at: Timestamp | null;
}
export interface FocusDeviceList {
  devices: FocusDevice[];
}
export type FocusTier = "bronze" | "silver" | "gold" | "platinum" | "diamond";
export type FocusTrackingStatus = "pending" | "verified" | "broken";
export interface FocusNow {
  status: FocusTrackingStatus;
  streak: { since: Timestamp; estimated: boolean } | null;
  day: { day: string; points: number; streak_count: number; longest_streak: number; minutes: number | null };
  week: { week: string; points: number; streak_count: number; longest_streak: number };
  session: FocusSession | null;
  goal: { minutes: number | null; from_tomorrow: number | null; streak: number; lives: number };
  freeze: { available: boolean; frozen_today: boolean };
  xp: number;
  coins: number;
  tier: FocusTier;
  tutorial: "offered" | "done" | "none";
  pro_until: Timestamp | null;
}
export interface FocusStreak {
  began_at: Timestamp;
  ended_at: Timestamp;
  seconds: number;
  points: number;
  estimated: boolean;
  counted: boolean;
}
export interface FocusDaySummary {
  day: string;
  points: number;
  streak_count: number;
  longest_streak: number;
  estimated: boolean;
  minutes: number | null;
  score: number | null;
  usage_points: number | null;
  closed: boolean;
  rating: "up" | "down" | null;
}
export interface FocusDay extends FocusDaySummary {
  streaks: FocusStreak[] | null;
}
export interface FocusWeekSummary {
  week: string;
  points: number;
  streak_count: number;
  longest_streak: number;
  estimated: boolean;
}
export interface FocusWeek extends FocusWeekSummary {
  days: FocusDaySummary[];
}
export interface FocusWeekPage {
  weeks: FocusWeekSummary[];
  cursor: string | null;
}
export interface FocusBoardEntry {
  rank: number;
  user_id: ResourceID;
  first_name: Name | null;
  points: number;
  streak_count: number;
  longest_streak: number;
  estimated: boolean;
  tracking_status: FocusTrackingStatus;
  synced_at: Timestamp | null;
  is_me: boolean;
}
export interface FocusBoard {
  week: string;
  closed: boolean;
  closes_at: Timestamp;
  entries: FocusBoardEntry[];
}
export interface FocusLeagueEntry {
  rank: number;
  nickname: string | null;
  points: number;
  xp: number;
  is_me: boolean;
}
export interface FocusLeague {
  week: string;
  tier: FocusTier;
  closed: boolean;
  closes_at: Timestamp;
  rises: number;
  falls: number;
  entries: FocusLeagueEntry[];
}
export interface FocusPerson {
  user_id: ResourceID;
  nickname: string | null;
  first_name: Name | null;
  since: Timestamp;
}
export interface FocusPersonPage {
  people: FocusPerson[];
  cursor: string | null;
}
export interface FocusNickname {
  user_id: ResourceID;
  nickname: string;
  tier: FocusTier;
  week: string;
  points: number;
  streak_count: number;
  is_followed: boolean;
}
export interface FocusFeedItem {
  id: string;
  kind: "streak" | "week";
  user_id: ResourceID;
  nickname: string | null;
  first_name: Name | null;
  at: Timestamp;
  minutes: number | null;
  week: string | null;
  points: number | null;
  streak_count: number | null;
}
export interface FocusFeed {
  items: FocusFeedItem[];
  cursor: string | null;
}
export interface FocusTemptationSettings {
  enabled?: boolean | null;
  intensity?: "low" | "medium" | "high" | null;
  quiet_from?: TimeOfDay | null;
  quiet_to?: TimeOfDay | null;
}
export interface FocusTemptations {
  enabled: boolean;
  intensity: "low" | "medium" | "high";
  quiet_from: TimeOfDay | null;
  quiet_to: TimeOfDay | null;
  sent: number;
  resisted: number;
}
export type FocusMode = "allow_list" | "block_list";
export interface FocusSession {
  id: ResourceID;
  name: string | null;
  emoji: string | null;
  goal_minutes: number;
  mode: FocusMode;
  beast_mode: boolean;
  schedule_id: ResourceID | null;
  date: string | null;
  state: "running" | "completed" | "gave_up" | "canceled" | "lost";
  started_at: Timestamp;
  goal_ends_at: Timestamp;
  ended_at: Timestamp | null;
  elapsed_seconds: number;
  extra_seconds: number;
  xp: number | null;
  coins: number | null;
}
export interface FocusNewSession {
  name?: string | null;
  emoji?: string | null;
  goal_minutes?: number;
  mode?: FocusMode;
  beast_mode?: boolean;
  schedule_id?: ResourceID;
  date?: string;
}
export interface FocusSessionList {
  sessions: FocusSession[];
  cursor: string | null;
}
export interface FocusStats {
  days: { day: string; completed: number; seconds: number }[];
  record: { day: string; seconds: number } | null;
}
export interface FocusScheduleSettings {
  name: string;
  emoji?: string | null;
  from: TimeOfDay;
  to: TimeOfDay;
  weekdays: number[];
  mode: FocusMode;
  beast_mode?: boolean;
}
export interface FocusSchedule {
  id: ResourceID;
  name: string;
  emoji: string | null;
  from: TimeOfDay;
  to: TimeOfDay;
  weekdays: number[];
  mode: FocusMode;
  beast_mode: boolean;
  next_at: Timestamp | null;
}
export interface FocusScheduleList {
  schedules: FocusSchedule[];
}
export interface FocusIntentionSettings {
  label: string;
  opens: number;
  minutes: number;
}
export interface FocusIntention {
  id: ResourceID;
  label: string;
  opens: number;
  minutes: number;
  opens_from_tomorrow: number | null;
  used: number;
  streak: number;
  best: number;
  frozen: boolean;
}
export interface FocusIntentionList {
  intentions: FocusIntention[];
}
export interface FocusPartner {
  user_id: ResourceID;
  first_name: Name | null;
  state: "requested" | "accepted";
  since: Timestamp;
}
export interface FocusPartnership extends FocusPartner {
  breaks: { day: string; streak: number }[];
}
export interface FocusPartnerList {
  partners: FocusPartner[];
  partner_of: FocusPartnership[];
}

type Id = { id: string };
type None = Record<string, never>;
type Page = { cursor?: string };

declare module "../api.d.ts" {
  interface Calls {
    "GET /v1/focus/profile": { parameters: None; body: null; answer: FocusProfile };
    "PUT /v1/focus/profile": { parameters: None; body: FocusProfileSettings; answer: FocusProfile };
    "DELETE /v1/focus/profile": { parameters: None; body: null; answer: null };
    "GET /v1/focus/devices": { parameters: None; body: null; answer: FocusDeviceList };
    "DELETE /v1/focus/devices/{id}": { parameters: Id; body: null; answer: null };
    "GET /v1/focus/now": { parameters: None; body: null; answer: FocusNow };
    "GET /v1/focus/weeks": { parameters: Page; body: null; answer: FocusWeekPage };
    "GET /v1/focus/weeks/{monday}": { parameters: { monday: string }; body: null; answer: FocusWeek };
    "GET /v1/focus/days/{day}": { parameters: { day: string }; body: null; answer: FocusDay };
    "PUT /v1/focus/days/{day}/rating": {
      parameters: { day: string };
      body: { rating: "up" | "down" };
      answer: FocusDay;
    };
    "GET /v1/focus/groups/{id}/board": { parameters: Id & { week?: string }; body: null; answer: FocusBoard };
    "GET /v1/focus/league": { parameters: { week?: string }; body: null; answer: FocusLeague };
    "GET /v1/focus/following": { parameters: Page; body: null; answer: FocusPersonPage };
    "GET /v1/focus/followers": { parameters: Page; body: null; answer: FocusPersonPage };
    "PUT /v1/focus/following/{user_id}": { parameters: { user_id: string }; body: null; answer: null };
    "DELETE /v1/focus/following/{user_id}": { parameters: { user_id: string }; body: null; answer: null };
    "PUT /v1/focus/following/by-nickname/{nickname}": {
      parameters: { nickname: string };
      body: null;
      answer: FocusPerson;
    };
    "DELETE /v1/focus/followers/{user_id}": { parameters: { user_id: string }; body: null; answer: null };
    "GET /v1/focus/people/{nickname}": {
      parameters: { nickname: string };
      body: null;
      answer: FocusNickname;
    };
    "GET /v1/focus/feed": { parameters: Page; body: null; answer: FocusFeed };
    "GET /v1/focus/temptations": { parameters: None; body: null; answer: FocusTemptations };
    "PUT /v1/focus/temptations": {
      parameters: None;
      body: FocusTemptationSettings;
      answer: FocusTemptations;
    };
    "GET /v1/focus/sessions": { parameters: Page; body: null; answer: FocusSessionList };
    "POST /v1/focus/sessions": { parameters: None; body: FocusNewSession; answer: FocusSession };
    "POST /v1/focus/sessions/{id}/end": { parameters: Id; body: null; answer: FocusSession };
    "GET /v1/focus/stats": { parameters: None; body: null; answer: FocusStats };
    "GET /v1/focus/schedules": { parameters: None; body: null; answer: FocusScheduleList };
    "POST /v1/focus/schedules": { parameters: None; body: FocusScheduleSettings; answer: FocusSchedule };
    "PUT /v1/focus/schedules/{id}": { parameters: Id; body: FocusScheduleSettings; answer: FocusSchedule };
    "DELETE /v1/focus/schedules/{id}": { parameters: Id; body: null; answer: null };
    "GET /v1/focus/intentions": { parameters: None; body: null; answer: FocusIntentionList };
    "POST /v1/focus/intentions": { parameters: None; body: FocusIntentionSettings; answer: FocusIntention };
    "PUT /v1/focus/intentions/{id}": { parameters: Id; body: FocusIntentionSettings; answer: FocusIntention };
    "DELETE /v1/focus/intentions/{id}": { parameters: Id; body: null; answer: null };
    "POST /v1/focus/freeze": { parameters: None; body: null; answer: { day: string } };
    "GET /v1/focus/partners": { parameters: None; body: null; answer: FocusPartnerList };
    "PUT /v1/focus/partners/{user_id}": { parameters: { user_id: string }; body: null; answer: null };
    "DELETE /v1/focus/partners/{user_id}": { parameters: { user_id: string }; body: null; answer: null };
    "POST /v1/focus/partners/{user_id}/accept": { parameters: { user_id: string }; body: null; answer: null };
  }
}
