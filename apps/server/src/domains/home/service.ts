import { exportStatus } from '@zhugong/contract/exports/endpoints'
import type { MainPage } from '@zhugong/contract/home/endpoints'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

/** Service status for the operators. Reads tables of several domains, as dashboards do. */
export async function serviceOf(ctx: Context): Promise<MainPage['service']> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from tenant where enable = '1') as groups, (select count(*)::int from app_user where enable = '1') as users,
      (select count(*)::int from tenant t where t.type = 3 and not exists (select 1 from member m where m.group_id = t.id)) as without_admin,
      (select count(*)::int from gateway where status = '1' and not online) as gateways_offline,
      (select count(distinct identifier)::int from unregistered_device where not ignored and identifier is distinct from gateway_id) as unregistered,
      (select count(*)::int from device_latest where received_at > now() - interval '1 minute') as readings_per_minute,
      (select count(*)::int from export_task where status = ${exportStatus.running}) as jobs_running,
      (select count(*)::int from export_task where status = ${exportStatus.failed} and create_time > now() - interval '1 day') as jobs_failed,
      (pg_database_size(current_database()) / 1048576)::int as database_mb`.execute(ctx.db)
  const r = rows[0] ?? {}
  return {
    groups: r.groups ?? 0,
    users: r.users ?? 0,
    withoutAdmin: r.withoutAdmin ?? 0,
    gatewaysOffline: r.gatewaysOffline ?? 0,
    unregistered: r.unregistered ?? 0,
    readingsPerMinute: r.readingsPerMinute ?? 0,
    jobsRunning: r.jobsRunning ?? 0,
    jobsFailed: r.jobsFailed ?? 0,
    databaseMb: r.databaseMb ?? 0,
  }
}
