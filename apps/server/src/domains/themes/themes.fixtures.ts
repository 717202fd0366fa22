import { randomUUID } from 'node:crypto'
import {
  changeThemeCampaign,
  changeThemeCheck,
  createThemeCampaign,
  createThemeCheck,
  removeThemeCampaign,
  removeThemeCheck,
  signThemeCheck,
} from '@zhugong/contract/themes/calls'
import type pg from 'pg'
import { call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

/** A running campaign with one object, and a submitted check of it. */
async function insertCampaign(pool: pg.Pool, projectCode: string): Promise<void> {
  const row = [projectCode]
  await pool.query(
    `insert into theme_campaign (id, project_code, shown_at, groups, leader_group, leader_group_name, title, theme, ordered_by, start_date, end_date,
       persons, registers, points, state, create_by, create_time)
     values (md5('theme campaign ' || $1), $1, now(), '{}', 'nobody', '样例机构', '样例专项', '99', 'own', '2026-11-01', '2026-11-20', '{样例}', '{}',
       '[{"code": "T99-P01", "name": "现场管理", "requirement": "符合要求"}]', '1', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into theme_object (id, campaign_id, project_code, shown_at, groups, seq, register, name)
     values (md5('theme object ' || $1), md5('theme campaign ' || $1), $1, now(), '{}', 0, 'own', '样例对象')`,
    row,
  )
  await pool.query(
    `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, state, create_by, create_time)
     values (md5('theme check ' || $1), 'checksP', '样例-ZX-' || md5($1), $1, now(), '{}', 'nobody', '样例机构', 'nobody', '02', now(), '{样例}',
       '样例专项', '7', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into theme_check (check_id, campaign_id, project_code, shown_at, groups)
     values (md5('theme check ' || $1), md5('theme campaign ' || $1), $1, now(), '{}')`,
    row,
  )
  await pool.query(
    `insert into check_sheet (id, check_id, project_code, shown_at, groups, seq, sheet_code, label, category)
     values (md5('theme sheet ' || $1), md5('theme check ' || $1), $1, now(), '{}', 0, 'T-own', '样例对象', 'T-own')`,
    row,
  )
  await pool.query(
    `insert into check_result (sheet_id, item_code, check_id, project_code, shown_at, groups, seq, name, max_score, guarantee, result)
     values (md5('theme sheet ' || $1), 'T99-P01', md5('theme check ' || $1), $1, now(), '{}', 0, '现场管理', 0, false, '1')`,
    row,
  )
  await pool.query(
    `insert into theme_sheet (sheet_id, check_id, object_id, project_code, shown_at, groups)
     values (md5('theme sheet ' || $1), md5('theme check ' || $1), md5('theme object ' || $1), $1, now(), '{}')`,
    row,
  )
}

const newId = () => randomUUID().replaceAll('-', '')

export const fixtures: Fixtures = {
  calls: [
    call(
      createThemeCampaign,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        action: 'save',
        title: '样例专项检查',
        theme: '99',
        orderedBy: 'own',
        startDate: '2026-11-01',
        endDate: '2026-11-20',
        persons: ['样例'],
        registers: [],
        ownObjects: ['样例对象'],
        points: [{ name: '现场管理', requirement: '符合要求' }],
      },
    })),
    call(
      createThemeCheck,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        action: 'save',
        campaignId: rowId('theme campaign', { key: s.projectCode }),
        objects: [{ key: rowId('theme object', { key: s.projectCode }), items: [{ itemCode: 'T99-P01', result: '1' }] }],
        problems: [],
      },
    })),
  ],
  exempt: [
    { why: 'only the group that wrote a draft knows of it: themes.test.ts', calls: [changeThemeCheck, removeThemeCheck] },
    { why: 'only the group that leads a campaign changes it: themes.test.ts', calls: [changeThemeCampaign, removeThemeCampaign] },
    { why: 'its seats are for the names of the check and for its own group: examine.test.ts', calls: [signThemeCheck] },
  ],
  projectRows: ({ pool, projectCode }) => insertCampaign(pool, projectCode),
  owners: { themeCampaign: ofPeople('theme_campaign') },
  guarded: ['theme_campaign', 'theme_object'],
}
