/** Reads the settings of a bot's page. */
import type { DashboardSettings } from '../domain/bot-settings.ts';
import { type Draft, list, object, optional, orWord, type Reader } from './field.ts';
import { text, wholeNumber } from './value-fields.ts';

const loopback = '127.0.0.1';

const shape = {
  port: optional(wholeNumber({ min: 1, max: 65_535 })),
  listen: optional(
    text(
      /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]{2,39})$/u,
      'an IP address of this machine in quotes, such as "127.0.0.1", or "0.0.0.0" for all of them',
    ),
    loopback,
  ),
  hosts: optional(
    list(
      text(
        /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/u,
        'a name or address in small letters, with or without a port, such as "bots.example:8080"',
      ),
    ),
  ),
};

export const dashboardField = orWord(['on'], object(shape));

type DashboardDraft = 'on' | Draft<typeof shape>;

/** Returns the settings of a draft without problems. */
export function dashboardOf(draft: DashboardDraft): DashboardSettings {
  const given: Partial<Draft<typeof shape>> = draft === 'on' ? {} : draft;
  return Object.freeze({
    port: given.port,
    listen: given.listen ?? loopback,
    hosts: Object.freeze([...(given.hosts ?? [])]),
  });
}

/** Whoever opens another address than a loopback one uses another name for it. */
export function checkDashboard(reader: Reader, draft: DashboardDraft | undefined): void {
  if (draft === undefined || draft === 'on') return;
  const { listen, hosts } = draft;
  if (listen === undefined || /^(?:127\.|::1$)/u.test(listen)) return;
  if (hosts !== undefined && hosts.length > 0) return;
  reader.reportMissing(
    ['dashboard'],
    'hosts is missing, and listen lets other machines in',
    'the names by which the page is opened, such as hosts: ["localhost:8080"]',
  );
}
