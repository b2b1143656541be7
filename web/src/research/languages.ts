// Languages of searchers, as the API numbers them (language constants of Google Ads).
const named: [id: number, name: string][] = [
  [1000, 'English'], [1001, 'German'], [1002, 'French'], [1003, 'Spanish'], [1004, 'Italian'], [1005, 'Japanese'], [1009, 'Danish'], [1010, 'Dutch'],
  [1011, 'Finnish'], [1012, 'Korean'], [1013, 'Norwegian'], [1014, 'Portuguese'], [1015, 'Swedish'], [1017, 'Chinese (simplified)'],
  [1018, 'Chinese (traditional)'], [1019, 'Arabic'], [1020, 'Bulgarian'], [1021, 'Czech'], [1022, 'Greek'], [1023, 'Hindi'], [1024, 'Hungarian'],
  [1025, 'Indonesian'], [1026, 'Icelandic'], [1027, 'Hebrew'], [1028, 'Latvian'], [1029, 'Lithuanian'], [1030, 'Polish'], [1031, 'Russian'],
  [1032, 'Romanian'], [1033, 'Slovak'], [1034, 'Slovenian'], [1035, 'Serbian'], [1036, 'Ukrainian'], [1037, 'Turkish'], [1038, 'Catalan'],
  [1039, 'Croatian'], [1040, 'Vietnamese'], [1041, 'Urdu'], [1042, 'Filipino'], [1043, 'Estonian'], [1044, 'Thai'], [1056, 'Bengali'],
  [1064, 'Persian'], [1072, 'Gujarati'], [1086, 'Kannada'], [1098, 'Malayalam'], [1101, 'Marathi'], [1102, 'Malay'], [1110, 'Punjabi'],
  [1130, 'Tamil'], [1131, 'Telugu'],
];

export const languages = [{ id: '0', name: 'Any language' }, ...named.map(([id, name]) => ({ id: String(id), name })).sort((a, b) => a.name.localeCompare(b.name, 'en'))];
