// The wire of Focus, until openapi.yaml has it.

import type { FocusLeague, FocusSession, Name, ResourceID, TimeOfDay, Timestamp } from "../api.d.ts";

export type {
  FocusBoard,
  FocusBoardEntry,
  FocusDay,
  FocusDevice,
  FocusDeviceList,
  FocusDeviceReport,
  FocusEvent,
  FocusLeague,
  FocusLeagueEntry,
  FocusNow,
  FocusOtherEvent,
  FocusProfile,
  FocusProfileSettings,
  FocusQuip,
  FocusRating,
  FocusRejection,
  FocusSession,
  FocusStreak,
  FocusSync,
  FocusSyncAnswer,
  FocusVerificationWindow,
  FocusWeek,
  FocusWeekPage,
} from "../api.d.ts";

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
  tier: FocusLeague["tier"];
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
