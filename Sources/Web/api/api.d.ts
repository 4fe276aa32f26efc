// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.

export type ResourceID = string;

export type Timestamp = string;

export type PhoneNumber = string;

export type PhoneNumberInput = string;

export type Name = string;

export type TimeZone = string;

export type ImageBytes = string;

export interface VerificationRequest {
  phone_number: PhoneNumberInput;
  proof?: WorkProof | null;
}

export interface WorkChallenge {
  token: string;
  bytes: number;
  bits: number;
  count: number;
}

export interface WorkProof {
  token: string;
  nonces: number[];
}

export interface VerificationStarted {
  verification_id: ResourceID;
  expires_at: Timestamp;
  expires_in: number;
  resend_after: number;
}

export interface VerifyRequest {
  verification_id: ResourceID;
  code: string;
  first_name?: Name | null;
  time_zone?: TimeZone | null;
  device_name?: string | null;
}

export interface RefreshRequest {
  refresh_token: string;
}

export interface TokenResponse {
  access_token: string;
  refresh_token: string;
  token_type: "Bearer";
  expires_in: number;
  user: User;
  is_new_user?: boolean;
}

export interface BrowserTokenResponse {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  user: User;
  is_new_user?: boolean;
}

export interface User {
  id: ResourceID;
  phone_number: PhoneNumber;
  first_name: Name | null;
  time_zone: TimeZone;
  discoverable: boolean;
  quiet_from: TimeOfDay | null;
  quiet_to: TimeOfDay | null;
  created_at: Timestamp;
}

export type TimeOfDay = string;

export interface UserPatch {
  first_name?: Name;
  time_zone?: TimeZone;
  discoverable?: boolean;
  quiet_from?: TimeOfDay | null;
  quiet_to?: TimeOfDay | null;
}

export interface DeviceRegistration {
  device_token?: string;
  platform: "ios" | "android" | "web";
  subscription?: { endpoint: string; keys: { p256dh: string; auth: string; }; };
  language?: string;
}

export interface WebPushKey {
  key: string;
}

export interface SessionInfo {
  id: ResourceID;
  device_name: string | null;
  created_at: Timestamp;
  last_used_at: Timestamp;
  current: boolean;
}

export interface SessionList {
  sessions: SessionInfo[];
}

export interface UserDataExport {
  exported_at: Timestamp;
  user: Record<string, unknown>;
}

export interface AnalyticsReport {
  events: AnalyticsEvent[];
}

export interface AnalyticsEvent {
  name: "photo_sent" | "group_created" | "app_opened" | "invite_sent";
  count?: number | null;
}

export interface PhotoGroup {
  id: ResourceID;
  name: Name;
  created_at: Timestamp;
  members: Member[];
  member_count: number;
  has_sent_today: boolean;
  next_send_at: Timestamp | null;
  last_photo_at: Timestamp | null;
  muted: boolean;
}

export interface Member {
  id: ResourceID;
  first_name: Name | null;
  joined_at: Timestamp;
}

export interface GroupList {
  groups: PhotoGroup[];
}

export interface GroupCreation {
  name: Name;
  member_phone_numbers: PhoneNumberInput[];
}

export interface GroupCreated {
  group: PhotoGroup;
  invitations: Invitation[];
}

export interface GroupRename {
  name: Name;
}

export type InviteCode = string;

export interface Invitation {
  phone_number: PhoneNumber;
  outcome: "invited" | "already_member";
  invite_id?: ResourceID;
  code?: InviteCode;
  url?: string;
}

export interface InviteRequest {
  group_id: ResourceID;
  phone_numbers: PhoneNumberInput[];
}

export interface InvitesSent {
  sent: Invitation[];
}

export interface ReceivedInvite {
  id: ResourceID;
  code: InviteCode;
  group_id: ResourceID;
  group_name: Name;
  invited_by: string | null;
  expires_at: Timestamp;
}

export interface ReceivedInviteList {
  invites: ReceivedInvite[];
}

export interface GroupInvite {
  id: ResourceID;
  phone_number: PhoneNumber | null;
  code: InviteCode;
  url: string;
  invited_by: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface GroupInviteList {
  invites: GroupInvite[];
}

export interface GroupMute {
  muted: boolean;
  until?: string | null;
}

export interface BlockedUser {
  id: string;
  first_name: string | null;
  blocked_at: string;
}

export interface BlockList {
  blocks: BlockedUser[];
}

export interface ContactCheckRequest {
  phone_numbers: PhoneNumberInput[];
}

export interface ContactCheckResult {
  existing: string[];
  needs_invite: string[];
  invalid: string[];
}

export interface InviteRedemption {
  code: string;
}

export interface InviteRedeemed {
  group_id: ResourceID;
  group_name: Name;
}

export interface Photo {
  id: ResourceID;
  group_id: ResourceID;
  sender_id: ResourceID;
  sender_name: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  width: number;
  height: number;
  thumbhash: string;
  url: string;
  thumbnail_url: string;
  url_expires_at: Timestamp;
}

export interface PhotoFeed {
  photos: Photo[];
  removed: ResourceID[];
  cursor: string;
}

export interface PhotoCreatedEvent {
  group_id: ResourceID;
  photo: Photo;
}

export interface PhotoDeletedEvent {
  group_id: ResourceID;
  photo_id: ResourceID;
}

export interface GroupUpdatedEvent {
  group_id: ResourceID;
  name: string;
}

export interface MemberEvent {
  group_id: ResourceID;
  user_id: ResourceID | null;
  first_name: string | null;
}

export interface UploadTicketRequest {
  idempotency_key: string;
}

export interface UploadTicket {
  ticket: string;
  expires_at: Timestamp;
}

export interface Health {
  status: string;
}

export type ProblemCode = "invalid_request" | "unauthorized" | "not_found" | "method_not_allowed" | "body_too_large" | "rate_limited" | "internal_error" | "unavailable" | "overloaded" | "invalid_phone_number" | "verification_failed" | "too_many_attempts" | "invalid_refresh_token" | "time_zone_changed_recently" | "group_limit_reached" | "group_full" | "removal_limit_reached" | "invite_limit_reached" | "invite_not_found" | "already_sent_today" | "upload_in_progress" | "photo_gone" | "upload_too_large" | "unsupported_media_type" | "unreadable_image" | "image_too_large" | "idempotency_key_reused" | "storage_unavailable" | "cursor_expired" | "focus_not_joined" | "nickname_taken" | "device_limit_reached" | "day_closed" | "follow_limit_reached" | "session_active" | "schedule_already_started" | "pro_required" | "beast_mode" | "schedule_limit_reached" | "schedule_overlap" | "intention_limit_reached" | "freeze_unavailable" | "partner_limit_reached" | "invalid_receipt" | "purchase_claimed" | "companion_not_joined" | "pet_exists" | "wrong_pet_state" | "not_enough_energy" | "not_enough_gems" | "recovery_unavailable" | "not_owned" | "already_owned" | "out_of_season";

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  request_id: string;
  errors?: ({ pointer: string; detail: string; })[];
  attempts_remaining?: number;
  retry_at?: Timestamp;
  next_send_at?: Timestamp;
  ends_at?: Timestamp;
  challenge?: WorkChallenge;
}

export type Day = string;

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
  consent: "1";
  nickname?: string | null;
  boards?: boolean | null;
  leagues?: boolean | null;
  feed?: boolean | null;
  morning?: boolean | null;
  goal_minutes?: number | null;
}

export interface FocusDevice {
  id: string;
  number: number;
  platform: "ios" | "android";
  setup: "not_started" | "in_progress" | "awaiting_verification" | "verified" | "failed";
  reason: "automation_not_created" | "unknown" | "no_event_received" | null;
  status: "pending" | "verified" | "broken";
  issue: "never_verified" | "no_recent_unlocks" | "app_open_without_recent_unlock" | null;
  issue_hours: number | null;
  verified_at: string | null;
  last_unlock_at: string | null;
  synced_at: string | null;
}

export interface FocusDeviceList {
  devices: FocusDevice[];
}

export interface FocusDeviceReport {
  platform: "ios" | "android";
  setup?: "in_progress" | "verified" | "failed" | null;
  reason?: "automation_not_created" | "unknown" | null;
  status?: "broken" | null;
  issue?: "no_recent_unlocks" | "app_open_without_recent_unlock" | null;
}

export interface FocusVerificationWindow {
  window_starts_at: Timestamp;
  window_ends_at: Timestamp;
}

export interface FocusSyncEvent {
  seq: number;
  kind: "lock" | "unlock" | "open" | "usage";
  at: Timestamp;
  source?: "automatic" | "manual" | "shortcut" | "install" | "verification";
  intention_id?: string;
  day?: Day;
  minutes?: number;
  final?: boolean;
  boot_id?: string;
  uptime?: number;
}

export interface FocusOtherEvent {
  seq: number;
  kind: "lock" | "unlock" | "open" | "usage";
  at: Timestamp;
  source?: "automatic" | "manual" | "shortcut" | "install" | "verification";
  intention_id?: string;
  day?: Day;
  minutes?: number;
  final?: boolean;
  device: number;
}

export interface FocusSync {
  device_id: string;
  client_time: Timestamp;
  boot_id?: string | null;
  uptime?: number | null;
  events: FocusSyncEvent[];
  cursor?: string | null;
}

export interface FocusRejection {
  seq: number;
  reason: "too_many" | "bad_clock" | "too_old" | "unknown_intention";
}

export interface FocusSyncAnswer {
  acknowledged: number;
  rejected: FocusRejection[];
  others: FocusOtherEvent[];
  cursor: string;
  has_more: boolean;
  server_time: Timestamp;
  now: FocusNow;
}

export interface FocusNow {
  status: "pending" | "verified" | "broken";
  streak: { since: Timestamp; estimated: boolean; } | null;
  day: { day: Day; points: number; streak_count: number; longest_streak: number; minutes: number | null; };
  week: { week: Day; points: number; streak_count: number; longest_streak: number; };
  session: null | FocusSession;
  goal: { minutes: number | null; from_tomorrow: number | null; streak: number; lives: number; };
  freeze: { available: boolean; frozen_today: boolean; };
  xp: number;
  coins: number;
  tier: "bronze" | "silver" | "gold" | "platinum" | "diamond";
  tutorial: "offered" | "done" | "none";
  pro_until: string | null;
}

export interface FocusWeek {
  week: Day;
  points: number;
  streak_count: number;
  longest_streak: number;
  estimated: boolean;
  days?: FocusDay[];
}

export interface FocusWeekPage {
  weeks: FocusWeek[];
  cursor: string | null;
}

export interface FocusPerson {
  user_id: ResourceID;
  nickname: string | null;
  first_name: string | null;
  since: Timestamp;
}

export interface FocusPersonPage {
  people: FocusPerson[];
  cursor: string | null;
}

export interface FocusNickname {
  user_id: ResourceID;
  nickname: string;
  tier: "bronze" | "silver" | "gold" | "platinum" | "diamond";
  week: Day;
  points: number;
  streak_count: number;
  is_followed: boolean;
}

export interface FocusFeed {
  items: FocusFeedItem[];
  cursor: string | null;
}

export interface FocusFeedItem {
  id: ResourceID;
  kind: "streak" | "week";
  user_id: ResourceID;
  nickname: string | null;
  first_name: string | null;
  at: Timestamp;
  minutes: number | null;
  week: string | null;
  points: number | null;
  streak_count: number | null;
}

export interface FocusTemptations {
  enabled: boolean;
  intensity: "low" | "medium" | "high";
  quiet_from: string | null;
  quiet_to: string | null;
  sent: number;
  resisted: number;
}

export interface FocusTemptationSettings {
  enabled?: boolean;
  intensity?: "low" | "medium" | "high";
  quiet_from?: string | null;
  quiet_to?: string | null;
}

export interface FocusStreak {
  began_at: Timestamp;
  ended_at: Timestamp;
  seconds: number;
  points: number;
  estimated: boolean;
  counted: boolean;
}

export interface FocusDay {
  day: Day;
  points: number;
  streak_count: number;
  longest_streak: number;
  estimated: boolean;
  streaks?: FocusStreak[] | null;
  minutes: number | null;
  score: number | null;
  usage_points: number | null;
  closed: boolean;
  rating: "up" | "down" | null;
}

export interface FocusRating {
  rating: "up" | "down";
}

export interface FocusQuip {
  day: Day;
  minutes: number;
  number: number;
  text: string;
}

export interface FocusBoard {
  week: Day;
  closed: boolean;
  closes_at: Timestamp;
  entries: FocusBoardEntry[];
}

export interface FocusBoardHint {
  group_id: ResourceID;
  week: Day;
}

export interface FocusBoardEntry {
  rank: number;
  user_id: ResourceID;
  first_name: string | null;
  points: number;
  streak_count: number;
  longest_streak: number;
  estimated: boolean;
  tracking_status: "pending" | "verified" | "broken";
  synced_at: string | null;
  is_me: boolean;
}

export interface FocusLeague {
  week: Day;
  tier: "bronze" | "silver" | "gold" | "platinum" | "diamond";
  closed: boolean;
  closes_at: Timestamp;
  rises: number;
  falls: number;
  entries: FocusLeagueEntry[];
}

export interface FocusLeagueEntry {
  rank: number;
  nickname: string | null;
  points: number;
  xp: number;
  is_me: boolean;
}

export interface FocusSessionList {
  sessions: FocusSession[];
  cursor: string | null;
}

export type FocusMode = "allow_list" | "block_list";

export interface FocusNewSession {
  name?: string | null;
  emoji?: string | null;
  goal_minutes?: number;
  mode?: FocusMode;
  beast_mode?: boolean;
  schedule_id?: ResourceID;
  date?: Day;
  started_at?: Timestamp;
  ended_at?: Timestamp;
  client_time?: Timestamp;
}

export interface FocusSessionEnd {
  ended_at?: Timestamp;
  client_time?: Timestamp;
}

export interface FocusStats {
  days: ({ day: Day; completed: number; seconds: number; })[];
  record: { day: Day; seconds: number; } | null;
}

export interface FocusScheduleSettings {
  name?: string | null;
  emoji?: string | null;
  from: FocusTime;
  to: FocusTime;
  weekdays: FocusWeekdays;
  mode: FocusMode;
  beast_mode?: boolean;
}

export type FocusTime = string;

export type FocusWeekdays = number[];

export interface FocusSchedule {
  id: ResourceID;
  name: string | null;
  emoji: string | null;
  from: FocusTime;
  to: FocusTime;
  weekdays: FocusWeekdays;
  mode: FocusMode;
  beast_mode: boolean;
  next_at: string | null;
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

export interface FocusFrozenDay {
  day: Day;
}

export interface FocusPartner {
  user_id: ResourceID;
  first_name: string | null;
  state: "requested" | "accepted";
  since: Timestamp;
}

export interface FocusPartnership {
  user_id: ResourceID;
  first_name: string | null;
  state: "requested" | "accepted";
  since: Timestamp;
  breaks: ({ day: Day; streak: number; })[];
}

export interface FocusPartnerList {
  partners: FocusPartner[];
  partner_of: FocusPartnership[];
}

export interface FocusEarnings {
  xp: number;
  coins: number;
}

export interface FocusPurchase {
  signed_transaction: string;
}

export interface FocusPro {
  pro_until: string | null;
}

export interface FocusSession {
  id: ResourceID;
  name: string | null;
  emoji: string | null;
  goal_minutes: number;
  mode: "allow_list" | "block_list";
  beast_mode: boolean;
  schedule_id: string | null;
  date: string | null;
  state: "running" | "completed" | "gave_up" | "canceled" | "lost";
  started_at: Timestamp;
  goal_ends_at: Timestamp;
  ended_at: string | null;
  elapsed_seconds: number | null;
  extra_seconds: number | null;
  xp: number | null;
  coins: number | null;
}

export interface CompanionPreferences {
  consent: "1";
  limit_minutes: number;
  limit_minutes_today: number;
  cooldown_minutes: CompanionCooldown;
  schedule: null | CompanionShieldTimes;
  nightly: boolean;
  joined_at: Timestamp;
}

export interface CompanionPreferencesRequest {
  consent: "1";
  limit_minutes: number;
  cooldown_minutes?: null | CompanionCooldown;
  schedule?: null | CompanionShieldTimes;
  nightly?: boolean | null;
}

export type CompanionCooldown = 10 | 20 | 30 | 45 | 60;

export interface CompanionShieldTimes {
  from: TimeOfDay;
  to: TimeOfDay;
  weekdays: number[];
}

export interface CompanionDevice {
  id: string;
  last_seq: number;
  synced_at: Timestamp;
}

export interface CompanionDeviceList {
  devices: CompanionDevice[];
}

export interface CompanionSurvey {
  use: number;
  dependence: number;
  sleep: number;
  without_phone: number;
  idle: number;
  age: "under_18" | "18_24" | "25_34" | "35_44" | "45_54" | "55_plus";
}

export interface CompanionSurveyResult {
  score: number;
  level: "low" | "mild" | "high" | "very_high";
  years: number;
}

export interface CompanionSyncEvent {
  seq: number;
  kind: "bypass" | "reshield" | "open" | "usage";
  at: Timestamp;
  boot_id?: string | null;
  uptime?: number | null;
  day?: Day;
  minutes?: number;
  final?: boolean | null;
}

export interface CompanionSync {
  device_id: string;
  client_time: Timestamp;
  boot_id?: string | null;
  uptime?: number | null;
  events: CompanionSyncEvent[];
}

export interface CompanionRejection {
  seq: number;
  reason: "too_many" | "bad_clock" | "too_old" | "unknown_day" | "locked" | "window_open" | "not_shielded";
}

export interface CompanionSyncAnswer {
  acknowledged: number;
  rejected: CompanionRejection[];
  server_time: Timestamp;
  day: CompanionDay;
}

export interface CompanionDay {
  day: Day;
  begins_at: Timestamp;
  ends_at: Timestamp;
  hp: number;
  band: CompanionBand;
  state: "healthy" | "concerned" | "tired" | "weak" | "dead";
  tone: "playful" | "concerned" | "strained" | "faint" | "dead" | null;
  colour: "green" | "orange" | "red";
  bypasses: number;
  drops: number;
  open_seconds: number;
  open_until: string | null;
  locked_until: string | null;
  first_use_at: string | null;
  last_use_at: string | null;
  limit_minutes: number;
  used_minutes: number;
  within: boolean;
  energy: number | null;
}

export type CompanionBand = 0 | 10 | 20 | 40 | 60 | 80 | 100;

export interface CompanionEntry {
  id: ResourceID;
  day: Day;
  at: Timestamp;
  kind: "welcome" | "band" | "terminal" | "nightly";
  pool: CompanionPool;
  band: null | CompanionBand;
  hp: number;
  number: number;
  text: string;
}

export type CompanionPool = "welcome" | "band.80" | "band.60" | "band.40" | "band.20" | "band.10" | "band.0" | "terminal" | "plain" | "good" | "mixed";

export interface CompanionDiary {
  entries: CompanionEntry[];
  cursor: string | null;
}

export interface CompanionTextPools {
  version: number;
  pools: Record<string, unknown>;
}

export type CompanionSpecies = "cat" | "dog";

export interface CompanionPet {
  id: ResourceID;
  species: CompanionSpecies;
  name: Name;
  health: "healthy" | "sick" | "dead";
  fragile_until: string | null;
  unfed_days: number;
  fed_today: boolean;
  fed_energy: number;
  buff: number;
  fullness: number;
  mood: number;
  growth: number;
  stage: CompanionStage;
  born_on: Day;
  died_on: string | null;
  outfit: CompanionItemID[];
}

export type CompanionStage = "baby" | "young" | "adult" | "elder";

export type CompanionItemID = string;

export interface CompanionNewPet {
  species: CompanionSpecies;
  name: Name;
}

export interface CompanionPetName {
  name: Name;
}

export interface CompanionMeal {
  item_id: CompanionItemID;
}

export type CompanionRecoveryRequest = Record<string, unknown>;

export interface CompanionOutfit {
  items: CompanionItemID[];
}

export interface CompanionPetAndWallet {
  pet: CompanionPet;
  wallet: CompanionWallet;
}

export type CompanionCurrency = "energy" | "gems";

export interface CompanionCosmeticPurchase {
  currency: CompanionCurrency;
}

export interface CompanionCosmeticAndWallet {
  cosmetic: CompanionCosmetic;
  wallet: CompanionWallet;
}

export interface CompanionWallet {
  energy: number;
  gems: number;
  app_account_token: string;
}

export interface CompanionLedgerEntry {
  id: ResourceID;
  at: Timestamp;
  currency: CompanionCurrency;
  amount: number;
  balance: number;
  kind: "award" | "food" | "cosmetic" | "cure" | "revive" | "restart" | "purchase" | "refund" | "rollback";
  ref: string;
}

export interface CompanionLedgerPage {
  entries: CompanionLedgerEntry[];
  cursor: string | null;
}

export interface CompanionFood {
  id: CompanionItemID;
  title: string;
  species: "cat" | "dog" | "both";
  energy: number;
  fullness: number;
  mood: number;
  buff: number;
  animation: string | null;
}

export interface CompanionCosmetic {
  id: CompanionItemID;
  title: string;
  category: CompanionItemID;
  energy: number | null;
  gems: number | null;
  from: string | null;
  to: string | null;
  owned: boolean;
  available: boolean;
}

export interface CompanionRecoveryOffer {
  gems: number;
  retry_at: string | null;
}

export interface CompanionRestartOffer {
  gems: number;
  retry_at: string | null;
  free_at: string | null;
}

export interface CompanionRecovery {
  cure: CompanionRecoveryOffer;
  revive: CompanionRecoveryOffer;
  restart: CompanionRestartOffer;
}

export interface CompanionCatalog {
  version: number;
  foods: CompanionFood[];
  cosmetics: CompanionCosmetic[];
  recovery: CompanionRecovery;
}

export interface CompanionFlag {
  key: string;
  enabled: boolean;
}

export interface CompanionFlags {
  flags: CompanionFlag[];
}

export interface CompanionMemorial {
  id: ResourceID;
  name: Name;
  species: CompanionSpecies;
  stage: CompanionStage;
  born_on: Day;
  died_on: Day;
  days: number;
  outfit: CompanionItemID[];
}

export interface CompanionMemorialPage {
  memorials: CompanionMemorial[];
  cursor: string | null;
}

export interface CompanionPurchase {
  signed_transaction: string;
}

export interface CompanionPurchaseAnswer {
  wallet: CompanionWallet;
  transaction_id: string;
}

export interface CompanionStoreNotification {
  signedPayload: string;
}

export interface Calls {
  "POST /v1/auth/request-verification": { parameters: Record<string, never>; body: VerificationRequest; answer: VerificationStarted };
  "POST /v1/auth/verify": { parameters: Record<string, never>; body: VerifyRequest; answer: (TokenResponse | BrowserTokenResponse) & { is_new_user: {}; } };
  "POST /v1/auth/refresh": { parameters: Record<string, never>; body: RefreshRequest; answer: TokenResponse | BrowserTokenResponse };
  "POST /v1/auth/logout": { parameters: Record<string, never>; body: RefreshRequest; answer: null };
  "GET /v1/auth/sessions": { parameters: Record<string, never>; body: null; answer: SessionList };
  "DELETE /v1/auth/sessions": { parameters: Record<string, never>; body: null; answer: null };
  "DELETE /v1/auth/sessions/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "GET /v1/users/me": { parameters: Record<string, never>; body: null; answer: User };
  "PATCH /v1/users/me": { parameters: Record<string, never>; body: UserPatch; answer: User };
  "DELETE /v1/users/me": { parameters: Record<string, never>; body: null; answer: null };
  "GET /v1/users/me/export": { parameters: Record<string, never>; body: null; answer: UserDataExport };
  "GET /v1/events": { parameters: Record<string, never>; body: null; answer: null };
  "POST /v1/devices/register": { parameters: Record<string, never>; body: DeviceRegistration; answer: null };
  "GET /v1/push/web-key": { parameters: Record<string, never>; body: null; answer: WebPushKey };
  "DELETE /v1/devices/{device_token}": { parameters: { "device_token": string; }; body: null; answer: null };
  "POST /v1/analytics/events": { parameters: Record<string, never>; body: AnalyticsReport; answer: null };
  "GET /v1/users/me/blocks": { parameters: Record<string, never>; body: null; answer: BlockList };
  "POST /v1/users/{id}/block": { parameters: { "id": string; }; body: null; answer: null };
  "DELETE /v1/users/{id}/block": { parameters: { "id": string; }; body: null; answer: null };
  "GET /v1/groups": { parameters: Record<string, never>; body: null; answer: GroupList };
  "POST /v1/groups": { parameters: Record<string, never>; body: GroupCreation; answer: GroupCreated };
  "GET /v1/groups/{id}": { parameters: { "id": string; }; body: null; answer: PhotoGroup };
  "PUT /v1/groups/{id}": { parameters: { "id": string; }; body: GroupRename; answer: PhotoGroup };
  "DELETE /v1/groups/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "DELETE /v1/groups/{id}/members/{user_id}": { parameters: { "id": string; "user_id": string; }; body: null; answer: null };
  "PUT /v1/groups/{id}/mute": { parameters: { "id": string; }; body: GroupMute; answer: null };
  "GET /v1/groups/{id}/invites": { parameters: { "id": string; }; body: null; answer: GroupInviteList };
  "POST /v1/invites/check-users": { parameters: Record<string, never>; body: ContactCheckRequest; answer: ContactCheckResult };
  "POST /v1/invites/send": { parameters: Record<string, never>; body: InviteRequest; answer: InvitesSent };
  "GET /v1/invites": { parameters: Record<string, never>; body: null; answer: ReceivedInviteList };
  "DELETE /v1/invites/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "POST /v1/invites/redeem": { parameters: Record<string, never>; body: InviteRedemption; answer: InviteRedeemed };
  "GET /v1/groups/{id}/photos": { parameters: { "id": string; "since"?: string; }; body: null; answer: PhotoFeed };
  "POST /v1/groups/{id}/photos": { parameters: { "id": string; }; body: null; answer: Photo };
  "GET /v1/groups/{id}/photos/today": { parameters: { "id": string; }; body: null; answer: PhotoFeed };
  "POST /v1/groups/{id}/upload-tickets": { parameters: { "id": string; }; body: UploadTicketRequest; answer: UploadTicket };
  "GET /v1/photos/{id}": { parameters: { "id": string; }; body: null; answer: Photo };
  "DELETE /v1/photos/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "GET /v1/focus/profile": { parameters: Record<string, never>; body: null; answer: FocusProfile };
  "PUT /v1/focus/profile": { parameters: Record<string, never>; body: FocusProfileSettings; answer: FocusProfile };
  "DELETE /v1/focus/profile": { parameters: Record<string, never>; body: null; answer: null };
  "GET /v1/focus/devices": { parameters: Record<string, never>; body: null; answer: FocusDeviceList };
  "GET /v1/focus/devices/{id}": { parameters: { "id": string; }; body: null; answer: FocusDevice };
  "PUT /v1/focus/devices/{id}": { parameters: { "id": string; }; body: FocusDeviceReport; answer: FocusDevice };
  "DELETE /v1/focus/devices/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "POST /v1/focus/devices/{id}/verification": { parameters: { "id": string; }; body: null; answer: FocusVerificationWindow };
  "POST /v1/focus/sync": { parameters: Record<string, never>; body: FocusSync; answer: FocusSyncAnswer };
  "GET /v1/focus/now": { parameters: Record<string, never>; body: null; answer: FocusNow };
  "GET /v1/focus/weeks": { parameters: { "cursor"?: string; }; body: null; answer: FocusWeekPage };
  "GET /v1/focus/weeks/{monday}": { parameters: { "monday": string; }; body: null; answer: FocusWeek };
  "GET /v1/focus/days/{day}": { parameters: { "day": string; }; body: null; answer: FocusDay };
  "PUT /v1/focus/days/{day}/rating": { parameters: { "day": string; }; body: FocusRating; answer: FocusDay };
  "GET /v1/focus/quips": { parameters: { "minutes"?: string; }; body: null; answer: FocusQuip };
  "GET /v1/focus/sessions": { parameters: { "cursor"?: string; }; body: null; answer: FocusSessionList };
  "POST /v1/focus/sessions": { parameters: Record<string, never>; body: FocusNewSession; answer: FocusSession };
  "GET /v1/focus/sessions/{id}": { parameters: { "id": string; }; body: null; answer: FocusSession };
  "POST /v1/focus/sessions/{id}/end": { parameters: { "id": string; }; body: FocusSessionEnd; answer: FocusSession };
  "GET /v1/focus/stats": { parameters: Record<string, never>; body: null; answer: FocusStats };
  "GET /v1/focus/schedules": { parameters: Record<string, never>; body: null; answer: FocusScheduleList };
  "POST /v1/focus/schedules": { parameters: Record<string, never>; body: FocusScheduleSettings; answer: FocusSchedule };
  "PUT /v1/focus/schedules/{id}": { parameters: { "id": string; }; body: FocusScheduleSettings; answer: FocusSchedule };
  "DELETE /v1/focus/schedules/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "GET /v1/focus/intentions": { parameters: Record<string, never>; body: null; answer: FocusIntentionList };
  "POST /v1/focus/intentions": { parameters: Record<string, never>; body: FocusIntentionSettings; answer: FocusIntention };
  "PUT /v1/focus/intentions/{id}": { parameters: { "id": string; }; body: FocusIntentionSettings; answer: FocusIntention };
  "DELETE /v1/focus/intentions/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "POST /v1/focus/freeze": { parameters: Record<string, never>; body: null; answer: FocusFrozenDay };
  "GET /v1/focus/partners": { parameters: Record<string, never>; body: null; answer: FocusPartnerList };
  "PUT /v1/focus/partners/{user_id}": { parameters: { "user_id": string; }; body: null; answer: null };
  "DELETE /v1/focus/partners/{user_id}": { parameters: { "user_id": string; }; body: null; answer: null };
  "POST /v1/focus/partners/{user_id}/accept": { parameters: { "user_id": string; }; body: null; answer: null };
  "POST /v1/focus/tutorial": { parameters: Record<string, never>; body: null; answer: FocusEarnings };
  "POST /v1/focus/pro": { parameters: Record<string, never>; body: FocusPurchase; answer: FocusPro };
  "GET /v1/focus/groups/{id}/board": { parameters: { "id": string; "week"?: string; }; body: null; answer: FocusBoard };
  "GET /v1/focus/league": { parameters: { "week"?: string; }; body: null; answer: FocusLeague };
  "GET /v1/focus/following": { parameters: { "cursor"?: string; }; body: null; answer: FocusPersonPage };
  "PUT /v1/focus/following/{user_id}": { parameters: { "user_id": string; }; body: null; answer: null };
  "DELETE /v1/focus/following/{user_id}": { parameters: { "user_id": string; }; body: null; answer: null };
  "PUT /v1/focus/following/by-nickname/{nickname}": { parameters: { "nickname": string; }; body: null; answer: FocusPerson };
  "GET /v1/focus/followers": { parameters: { "cursor"?: string; }; body: null; answer: FocusPersonPage };
  "DELETE /v1/focus/followers/{user_id}": { parameters: { "user_id": string; }; body: null; answer: null };
  "GET /v1/focus/people/{nickname}": { parameters: { "nickname": string; }; body: null; answer: FocusNickname };
  "GET /v1/focus/feed": { parameters: { "cursor"?: string; }; body: null; answer: FocusFeed };
  "GET /v1/focus/temptations": { parameters: Record<string, never>; body: null; answer: FocusTemptations };
  "PUT /v1/focus/temptations": { parameters: Record<string, never>; body: FocusTemptationSettings; answer: FocusTemptations };
  "GET /v1/companion/settings": { parameters: Record<string, never>; body: null; answer: CompanionPreferences };
  "PUT /v1/companion/settings": { parameters: Record<string, never>; body: CompanionPreferencesRequest; answer: CompanionPreferences };
  "DELETE /v1/companion/settings": { parameters: Record<string, never>; body: null; answer: null };
  "GET /v1/companion/devices": { parameters: Record<string, never>; body: null; answer: CompanionDeviceList };
  "DELETE /v1/companion/devices/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "POST /v1/companion/survey": { parameters: Record<string, never>; body: CompanionSurvey; answer: CompanionSurveyResult };
  "POST /v1/companion/sync": { parameters: Record<string, never>; body: CompanionSync; answer: CompanionSyncAnswer };
  "GET /v1/companion/day": { parameters: Record<string, never>; body: null; answer: CompanionDay };
  "GET /v1/companion/days/{day}": { parameters: { "day": string; }; body: null; answer: CompanionDay };
  "GET /v1/companion/diary": { parameters: { "cursor"?: string; }; body: null; answer: CompanionDiary };
  "GET /v1/companion/texts": { parameters: Record<string, never>; body: null; answer: CompanionTextPools };
  "GET /v1/companion/pet": { parameters: Record<string, never>; body: null; answer: CompanionPet };
  "POST /v1/companion/pet": { parameters: Record<string, never>; body: CompanionNewPet; answer: CompanionPet };
  "PATCH /v1/companion/pet": { parameters: Record<string, never>; body: CompanionPetName; answer: CompanionPet };
  "POST /v1/companion/pet/feed": { parameters: Record<string, never>; body: CompanionMeal; answer: CompanionPetAndWallet };
  "POST /v1/companion/pet/cure": { parameters: Record<string, never>; body: CompanionRecoveryRequest; answer: CompanionPetAndWallet };
  "POST /v1/companion/pet/revive": { parameters: Record<string, never>; body: CompanionRecoveryRequest; answer: CompanionPetAndWallet };
  "POST /v1/companion/pet/restart": { parameters: Record<string, never>; body: CompanionNewPet; answer: CompanionPetAndWallet };
  "PUT /v1/companion/pet/outfit": { parameters: Record<string, never>; body: CompanionOutfit; answer: CompanionPet };
  "POST /v1/companion/cosmetics/{id}": { parameters: { "id": string; }; body: CompanionCosmeticPurchase; answer: CompanionCosmeticAndWallet };
  "GET /v1/companion/wallet": { parameters: Record<string, never>; body: null; answer: CompanionWallet };
  "GET /v1/companion/ledger": { parameters: { "cursor"?: string; }; body: null; answer: CompanionLedgerPage };
  "GET /v1/companion/catalog": { parameters: Record<string, never>; body: null; answer: CompanionCatalog };
  "GET /v1/companion/flags": { parameters: Record<string, never>; body: null; answer: CompanionFlags };
  "GET /v1/companion/memorials": { parameters: { "cursor"?: string; }; body: null; answer: CompanionMemorialPage };
  "DELETE /v1/companion/memorials/{id}": { parameters: { "id": string; }; body: null; answer: null };
  "POST /v1/companion/purchases": { parameters: Record<string, never>; body: CompanionPurchase; answer: CompanionPurchaseAnswer };
  "POST /v1/companion/store-notifications": { parameters: Record<string, never>; body: CompanionStoreNotification; answer: null };
}
