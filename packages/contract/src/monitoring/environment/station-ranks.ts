import { endpoint } from '../../kit/endpoint.ts'
import { numericRange, paged, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { periodQuery } from '../../telemetry/model.ts'
import { ownedBy } from '../analysis.ts'
import { analysisRow } from './environment-endpoints.ts'

/** Stations ranked by score; those with doubtful data have no score and come last. */
export const stationRanks = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/rank',
  summary: '监测站对比排名',
  needs: 'environment.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('score', 'pm10Mean', 'deltaToDistrict', 'overHours', 'nightNoiseHours', 'validPercent'),
    name: text(50).optional(),
    projectName: text(50).optional(),
    ...ownedBy,
    stage: several.optional(),
    overHours: numericRange.optional(),
    validPercent: numericRange.optional(),
  }),
  response: paged(analysisRow),
})
export const stationRankList = listOf(stationRanks, {
  feature: 'stationRank',
  columns: {
    projectName: '项目',
    name: '监测站',
    areaCode: '区划',
    ownerCorpName: '产权单位',
    modelName: '型号',
    stage: '施工阶段',
    pm10Mean: 'PM10 均值',
    deltaToDistrict: '与区域站差值',
    overHours: '超标小时',
    nightNoiseHours: '夜间噪声超标小时',
    nightPermitHours: '许可期内夜间超标小时',
    validPercent: '有效数据（%）',
    frozenHours: '恒值小时',
    offlineAtPeak: '高值时离线小时',
    score: '排名分',
    notice: '通知',
  },
  onScreen: ['notice'],
})
