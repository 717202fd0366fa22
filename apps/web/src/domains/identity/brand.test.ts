import { expect, test } from 'vitest'
import { brandOf } from './brand.ts'

test('[branding-municipal-variant] a profile without sub heading and identifier leaves no text of ours', () => {
  expect(brandOf({ mainHead: '某市智慧建造平台', subHead: '', privateCloudIdentifier: '' })).toEqual({
    heading: '某市智慧建造平台',
    remark: '',
    identifier: '',
    tagline: '',
  })
})
test('[startup-settings-status-0] without a profile the built-in brand stands', () => {
  expect(brandOf(undefined)).toMatchObject({ heading: '筑工', identifier: '筑工' })
})
test('a profile names its own system', () => {
  expect(brandOf({ mainHead: '城建', subHead: '某局', privateCloudIdentifier: '城建云' })).toMatchObject({
    remark: '某局',
    identifier: '城建云',
    tagline: '某局',
  })
})
