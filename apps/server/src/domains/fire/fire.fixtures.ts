import { acceptFires, changeFire, createFire, drawFires, removeFire } from '@zhugong/contract/fire/calls'
import { writeFirePoint, writeFireSub } from '@zhugong/contract/fire/points'
import { signFire } from '@zhugong/contract/fire/seats'
import { changeFireItem, changeFirePlace } from '@zhugong/contract/fire/settings'
import type pg from 'pg'
import { createSecrets } from '#kit/secret'
import { type Fixtures, ofGroup, ofPeople } from '../../../test/fixtures/helpers.ts'
import { testSecretKey } from '../../../test/world.ts'

/** A case on the site with one building and one finding. */
async function insertCase(pool: pg.Pool, key: string, projectCode: string, corpCode: string): Promise<void> {
  const row = [`fire ${key}`, projectCode, corpCode]
  const tel = createSecrets(testSecretKey).seal('13800138000')
  await pool.query(
    `insert into fire_case (id, project_code, corp_code, shown_at, groups, applicant_group, apply_corp, authority_group, kind, contact, tel, is_part,
       license_no, fire_places, special, materials, state, create_by, create_time)
     values (md5($1), $2, $3, now(), '{}', 'nobody', '样例企业', 'nobody', '1', '样例', $4, false, '样例', '{03}', true, '{}', '4', 'nobody', now())`,
    [...row, tel],
  )
  await pool.query(
    `insert into fire_build (id, case_id, project_code, corp_code, shown_at, groups, seq, name, use, fire_rating, danger, use_property, floors_up,
       floors_down, height, area_up, area_down, places, projects)
     values (md5($1 || ' build'), md5($1), $2, $3, now(), '{}', 0, '样例楼', 'mall', '1', '9', '1', 5, 1, 24, 12000, 0, '{03}', '{01}')`,
    row,
  )
  await pool.query(
    `insert into fire_round (case_id, round, project_code, corp_code, shown_at, groups, verdict, line, subs_done, subs_total)
     values (md5($1), 1, $2, $3, now(), '{}', 'open', 'childOpen', 0, 2)`,
    row,
  )
  await pool.query(
    `insert into fire_point (id, case_id, round, build_id, project_code, corp_code, shown_at, groups, item_code, level, check_part, result,
       product_fail, tolerance, photos, by_id, by_name, at)
     values (md5($1 || ' point'), md5($1), 1, md5($1 || ' build'), $2, $3, now(), '{}', '010101', 'A', '1层', '1', false, 5, '{}', 'nobody', '样例', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'an application is its 建设单位’s, known to nobody else of the site, and decided by the authority: fire.test.ts',
      calls: [createFire, changeFire, removeFire, acceptFires, drawFires, signFire, writeFirePoint, writeFireSub],
    },
    { why: 'settings of an authority or the platform, of no project: fire.test.ts', calls: [changeFireItem, changeFirePlace] },
  ],
  projectRows: async ({ pool, projectCode, city }) => {
    const corpCode = city.projects.find((one) => one.projectCode === projectCode)?.buildCorpCode
    if (corpCode) await insertCase(pool, projectCode, projectCode, corpCode)
  },
  owners: {
    fireCase: ofPeople('fire_case'),
    fireBuild: ofPeople('fire_build'),
    firePoint: ofPeople('fire_point'),
    fireDraw: ofGroup('fire_draw', 'organiser_group'),
  },
  guarded: ['fire_case', 'fire_build', 'fire_point'],
}
