import { sql } from 'kysely'

/** The data of a stay that the printed badge and its public check both show. */
export interface BadgeStay {
  id: string
  projectCode: string
  projectName: string
  corpName: string | null
  teamName: string | null
  workerName: string
  workType: string | null
  post: string | null
  isTeamLeader: boolean
}

export const badgeColumns = sql`w.id, w.project_code, coalesce(pr.short_name, pr.name) as project_name, c.corp_name, t.team_name, w.worker_name,
  w.work_type, w.post, w.is_team_leader`
export const badgeTables = sql`project_worker w join project pr on pr.project_code = w.project_code
  left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id`
