import { expect, test } from 'vitest'
import { jsonOfModel, modelOfJson } from './model-json.ts'

const model = {
  brandName: '衡安',
  family: 'towerCrane',
  name: 'HA-1',
  protocols: ['mqtt'],
  metrics: [{ key: 'load', max: 8, label: '吊重' }],
  registers: [],
  alarmCodes: [{ code: '1', alarmKey: 'offline', label: '离线' }],
  params: { jibLength: 55 },
  remark: null,
}

test('a model goes out and comes in under the brand’s name or alias', () => {
  const text = jsonOfModel(model)
  const read = modelOfJson(text, [{ id: 'b', name: 'HengAn', alias: ['衡安'] }])
  expect(read).toEqual({
    body: expect.objectContaining({
      brandId: 'b',
      name: 'HA-1',
      metrics: [{ key: 'load', max: 8 }],
      alarmCodes: [{ code: '1', alarmKey: 'offline' }],
    }),
  })
})
test.each([
  ['{', '有效的 JSON'],
  ['{"kind":"x"}', '型号导出文件'],
  [jsonOfModel({ ...model, brandName: '无此' }), '不在品牌库'],
])('%s is refused', (text, why) => {
  expect(modelOfJson(text, [])).toEqual({ problem: expect.stringContaining(why) })
})
